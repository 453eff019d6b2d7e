// Package devmanager runs Berth's manager on a development cluster the way its Deployment would run it: installed from
// config/default, as a process with the rights of its ServiceAccount and no others, its webhooks called by the API server.
// The demo and the end-to-end tests stand on it.
//
//	cluster, err := devcluster.Start(ctx, devcluster.Options{...})
//	if err != nil { ... }
//	manager, err := devmanager.Start(ctx, cluster, devmanager.Options{})
//
// The manager ends with the cluster. Stop and another Start make a restart; Kill a crash.
package devmanager
