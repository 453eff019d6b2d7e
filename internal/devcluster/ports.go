package devcluster

import (
	"fmt"
	"net"
)

// freePorts finds n different TCP ports that nobody listens on at the moment. Somebody else may take one before the
// component binds it: the caller starts anew then.
func freePorts(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("looking for a free port: %w", err)
		}
		defer l.Close() // all are held until all are found
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
