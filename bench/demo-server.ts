import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { getOrigin } from './client.ts'
import { buildServer, SERVER } from '../scripts/setup/build-server.js'
import { PROCESS_SETTINGS } from '../scripts/setup/process-settings.js'

/** A demo server as `npm start` runs it, in a separate process with its own data directory. */
export interface DemoServer {
  port: number
  pid: number
  /** Time from the first start with an empty data directory to the first page. */
  startMs: number
  stop(): Promise<void>
}

/** Finds a TCP port that is free now. */
export const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Builds and starts the demo server. When this process exits, it stops and its directory is removed. */
export async function startDemoServer(): Promise<DemoServer> {
  await buildServer()
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'publicway-bench-demo-'))
  const port = await findFreePort()
  const start = performance.now()
  const server = spawn(process.execPath, [SERVER], {
    env: { PATH: process.env['PATH'], ...PROCESS_SETTINGS, PORT: String(port), DATA_DIR: directory },
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const remove = (): void => {
    server.kill('SIGKILL')
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', remove)
  for (;;) {
    const isHealthy = await fetch(`${getOrigin(port)}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) break
    if (server.exitCode !== null) throw new Error(`The demo server ended with ${server.exitCode}`)
    await wait(100)
  }
  return {
    port,
    pid: server.pid ?? 0,
    startMs: performance.now() - start,
    async stop() {
      server.kill('SIGTERM')
      await exited
      process.off('exit', remove)
      remove()
    },
  }
}

/** Reads the processor time of a process since its start, s. */
export function readProcessorSeconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticksPerSecond = 100
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Reads the resident memory of a process, MB. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
