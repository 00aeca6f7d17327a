import { createServer } from 'node:net'

/** Returns `count` different free ports. All are opened before any is closed, so that none is found twice. */
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
