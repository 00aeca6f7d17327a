import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createDataDir } from '../new-data-dir.ts'
import { freePort, type ServerProcess, startServer, untilServing } from '../server-process.ts'

const dataDir = createDataDir()
const otherDataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-other-'))
let owner: ServerProcess
let port: number
beforeAll(async () => {
  port = await freePort()
  owner = await untilServing(startServer({ DATA_DIR: dataDir, DEMO: 'off', PORT: String(port) }))
})
afterAll(async () => {
  await owner.kill('SIGKILL')
  for (const folder of [dataDir, otherDataDir]) fs.rmSync(folder, { recursive: true, force: true })
})

/** Starts a server that must fail, and returns its output and exit code. */
async function startAndFail(
  settings: Record<string, string>,
): Promise<{ code: number | string; line: string }> {
  const server = startServer(settings)
  const hung = setTimeout(() => void server.kill('SIGKILL'), 50_000)
  const code = await server.ended
  clearTimeout(hung)
  return { code, line: server.printed().trim() }
}

describe('an unknown or invalid setting', () => {
  it('prevents the start with a one-line message', async () => {
    const { code, line } = await startAndFail({ DATA_DIR: otherDataDir, PORTT: '4870' })
    expect([code, line.split('\n').length]).toEqual([2, 1])
    expect(line).toMatch(/PORTT/)
    expect(fs.readdirSync(otherDataDir)).toEqual([])
  })

  const invalidSettings: [Record<string, string>, RegExp][] = [
    [{ DATABASE_URI: 'postgres://localhost/x' }, /DATABASE_URI/],
    [{ DEMO: 'maybe' }, /DEMO is on or off, not 'maybe'/],
    [{ PORT: 'abc' }, /PORT must be a whole number.*'abc'/],
    [{ CLICKHOUSE_URL: 'localhost:8123' }, /CLICKHOUSE_URL must look like http:/],
    [{ DATA_DIRECTORY: 'x' }, /DATA_DIRECTORY/],
    [{ PUBLICWAY_DEMO: 'off' }, /PUBLICWAY_DEMO/],
    [{ HOSTT: 'x' }, /HOSTT/],
    [{ PORT: '70000' }, /PORT must be/],
    [{ PORT: '0' }, /PORT must be/],
    [{ HOST: 'a b' }, /HOST must be/],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /DATABASE_URL must look like postgres:/],
  ]
  it.each(invalidSettings)('%o is not a valid configuration', (wrong, text) => {
    expect(() => readConfig(wrong)).toThrow(text)
  })

  it('does not include variables of other programs', () => {
    expect(
      readConfig({ PATH: '/bin', PORTS: '1', GHOST: 'x', HOSTNAME: 'x', SPORT: 'x', DATE: 'x' }).port,
    ).toBe(4870)
  })
})

describe('a running server', () => {
  it('locks its data directory: a second server exits, names the first, and changes nothing', async () => {
    const { code, line } = await startAndFail({
      DATA_DIR: dataDir,
      DEMO: 'off',
      PORT: String(await freePort()),
    })
    expect(code).toBe(2)
    expect(line.split('\n')).toHaveLength(1)
    expect(line).toContain(`The data directory ${dataDir} is in use by process `)
    expect((await fetch(`${owner.url}/health`)).status).toBe(200)
  })

  it('owns its port: a second server reports it before opening its stores', async () => {
    const { code, line } = await startAndFail({ DATA_DIR: otherDataDir, DEMO: 'off', PORT: String(port) })
    expect(code).toBe(2)
    expect(line).toMatch(/EADDRINUSE|in use/)
    expect(line).toContain(String(port))
    expect(fs.readdirSync(otherDataDir)).toEqual([])
  })

  it('prints a link for the first administrator until it is used, and reopens the directory after a kill', async () => {
    const [link = ''] = /http\S+new-password\?token=\S+/.exec(owner.printed()) ?? []
    expect(owner.printed()).toContain('First administrator: admin@publicway.local')
    const headers = { 'content-type': 'application/json', origin: owner.url }
    const token = new URL(link).searchParams.get('token')
    const choose = (newPassword: string): Promise<Response> =>
      fetch(`${owner.url}/api/auth/reset-password`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ token, newPassword }),
      })
    const password = 'a long word of four animals'
    expect((await choose(password)).status).toBe(200)
    expect((await choose('another word of four animals')).status).toBe(400)
    const entered = await fetch(`${owner.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: 'admin@publicway.local', password }),
    })
    expect(entered.status).toBe(200)
    await owner.kill('SIGKILL')
    owner = await untilServing(startServer({ DATA_DIR: dataDir, DEMO: 'off', PORT: String(port) }))
    expect(owner.printed()).not.toContain('First administrator')
  })

  it('exits at once on a signal and unlocks the directory', async () => {
    const at = performance.now()
    expect(await owner.kill('SIGTERM')).toBe(0)
    expect(performance.now() - at).toBeLessThan(10_000)
    expect(fs.existsSync(path.join(dataDir, 'owner.lock'))).toBe(false)
  })
})
