import net from 'node:net'

/** A proxy of a port that can simulate a network failure. */
export interface TcpProxy {
  port: number
  /** Ends all connections and refuses new ones. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

export async function openTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>()
  let isCut = false
  const server = net.createServer((near) => {
    if (isCut) return void near.destroy()
    const far = net.connect(port, host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    cut() {
      isCut = true
      destroyAll()
    },
    restore: () => void (isCut = false),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        destroyAll()
      }),
  }
}
