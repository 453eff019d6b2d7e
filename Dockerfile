# The manager's image: one static binary and nothing else.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /out/berth .

FROM scratch
COPY --from=build /out/berth /berth
USER 65532:65532
ENTRYPOINT ["/berth"]
