import { createServer } from 'node:net'

/** So many free ports of this machine, all different: each is held until the last one is found. */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function listen() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
