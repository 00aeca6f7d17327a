import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { originOf } from './client.ts'
import { buildServer, SERVER } from '../scripts/setup/build-server.js'
import { PROCESS_SETTINGS } from '../scripts/setup/process-settings.js'

/** A demo server in a process and a data directory of its own, as `npm start` runs it. */
export interface DemoServer {
  port: number
  pid: number
  /** From the start of an empty data directory to the first page. */
  startMs: number
  stop(): Promise<void>
}

/** A TCP port that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Builds and starts the demo server. It ends with this process, and its directory is removed. */
export async function startDemoServer(): Promise<DemoServer> {
  await buildServer()
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'publicway-bench-demo-'))
  const port = await freePort()
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
    const isHealthy = await fetch(`${originOf(port)}/health`).then(
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

/** Processor time of a process since its start, s. */
export function processorSeconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process, MB. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
