package devcluster

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InstallCRDs applies the CustomResourceDefinitions of a file or folder and waits until they are Established and found
// in discovery. Other objects there are an error.
func (c *Cluster) InstallCRDs(ctx context.Context, path string) error {
	raw, err := readManifests(path)
	if err != nil {
		return err
	}
	objects, err := Decode(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var names []string
	for _, object := range objects {
		if object.GetKind() != "CustomResourceDefinition" {
			return fmt.Errorf("%s holds a %s named %s; only CustomResourceDefinitions belong there", path, object.GetKind(), object.GetName())
		}
		names = append(names, object.GetName())
	}
	if err := c.Apply(ctx, raw); err != nil {
		return err
	}
	client, err := apiextensions.NewForConfig(c.own)
	if err != nil {
		return err
	}
	for _, name := range names {
		err := c.WaitFor(ctx, name+" is served", func(ctx context.Context) (bool, error) {
			crd, err := client.CustomResourceDefinitions().Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, err
			}
			return established(crd) && c.served(crd), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func established(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range crd.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}

// served tells whether discovery names the resource in all its versions.
func (c *Cluster) served(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, version := range crd.Spec.Versions {
		if !version.Served {
			continue
		}
		list, err := c.client.Discovery().ServerResourcesForGroupVersion(crd.Spec.Group + "/" + version.Name)
		if err != nil {
			return false // not yet: the group is unknown until its first resource is there
		}
		found := false
		for _, resource := range list.APIResources {
			found = found || resource.Name == crd.Spec.Names.Plural
		}
		if !found {
			return false
		}
	}
	return true
}
