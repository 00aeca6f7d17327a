import net from 'node:net'
import { expect, test } from 'vitest'
import { openStartingPage } from './starting-page.ts'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

test('The starting page shows the progress of the start as a page to browsers and as JSON to programs', async () => {
  const port = await freePort()
  const page = await openStartingPage('127.0.0.1', port)
  page.show('  6 s: <streets>, water')
  const url = `http://127.0.0.1:${port}/any/path`
  const response = await fetch(url, { headers: { accept: 'text/html,*/*' } })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await response.text()).toContain('6 s: &lt;streets&gt;, water</p>')
  expect(await (await fetch(url)).json()).toEqual({
    status: 'starting',
    detail: 'Publicway is starting. 6 s: <streets>, water',
  })
  await page.close()
})

test('openStartingPage rejects if a port is in use', async () => {
  const port = await freePort()
  const page = await openStartingPage('127.0.0.1', port)
  await expect(openStartingPage('127.0.0.1', port)).rejects.toThrow('EADDRINUSE')
  await page.close()
})

test('The starting page frees the port when it is closed', async () => {
  const port = await freePort()
  await (await openStartingPage('127.0.0.1', port)).close()
  const next = await openStartingPage('127.0.0.1', port)
  await expect(next.close()).resolves.toBeUndefined()
})
