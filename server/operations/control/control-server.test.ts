import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openControlServer, sendCommand } from './control-server.ts'

const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-control-'))
const file = path.join(dataDir, 'control.json')
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

test('The control server executes commands only for users who can read the data directory', async () => {
  const logged: string[] = []
  const server = await openControlServer(
    dataDir,
    {
      echo: (input) => Promise.resolve({ input }),
      fail: () => Promise.reject(new Error('the disk is full')),
      nothing: () => Promise.resolve(undefined),
    },
    (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
  )
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  expect(await sendCommand(dataDir, 'echo', { a: 1 })).toEqual({ input: { a: 1 } })
  expect(await sendCommand(dataDir, 'nothing', {})).toBeNull()
  await expect(sendCommand(dataDir, 'fail', {})).rejects.toThrow('the disk is full')
  await expect(sendCommand(dataDir, 'unknown', {})).rejects.toThrow('There is no such command')
  expect(logged).toEqual(['command {"command":"/fail","error":"the disk is full"}'])
  const { port } = JSON.parse(fs.readFileSync(file, 'utf8')) as { port: number }
  const withoutToken = await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', body: '{}' })
  expect(withoutToken.status).toBe(401)
  await server.close()
  expect(fs.existsSync(file)).toBe(false)
  await expect(sendCommand(dataDir, 'echo', {})).rejects.toThrow('does not accept commands now')
})

test('The control server reports that a killed server does not respond', async () => {
  fs.writeFileSync(file, JSON.stringify({ pid: 1, port: 1, token: 'x' }))
  await expect(sendCommand(dataDir, 'echo', {})).rejects.toThrow('does not respond')
  // The next server replaces the old file.
  const server = await openControlServer(dataDir, { echo: () => Promise.resolve('new') }, () => undefined)
  expect(await sendCommand(dataDir, 'echo', {})).toBe('new')
  await server.close()
})
