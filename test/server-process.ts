import { type ChildProcess, spawn } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')

/** The server in a separate process. */
export interface ServerProcess {
  url: string
  pid: number
  /** The output so far. */
  printed(): string
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

/** For processes that end soon, in which optimizing the WebAssembly of PostgreSQL takes longer than it saves. */
export const shortLived = '--liftoff-only'

/** Starts the bundled server with only these settings. */
export function startServer(settings: Record<string, string>): ServerProcess {
  const program = path.join(inject('programs'), 'main.js')
  const child: ChildProcess = spawn(process.execPath, [shortLived, program], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], UV_THREADPOOL_SIZE: '16', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  )
  return {
    url: `http://127.0.0.1:${settings['PORT']}`,
    pid: child.pid ?? 0,
    printed: () => text,
    ended,
    kill(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Settings of a server with a shifted clock. The file contains the shift in ms and may change. */
export const shiftedClock = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${path.join(root, 'test/shifted-clock.cjs')}`,
  CLOCK_SHIFT_FILE: file,
})

/** Waits until the server responds. Throws with its output if it ends before. */
export async function untilServing(server: ServerProcess): Promise<ServerProcess> {
  let hasEnded = false
  void server.ended.then(() => (hasEnded = true))
  for (;;) {
    if (hasEnded) throw new Error(`The server ended: ${server.printed()}`)
    const response = await fetch(`${server.url}/health`).catch(() => null)
    if (response?.ok) return server
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const postAuth = (server: ServerProcess, path: string, body: object): Promise<Response> =>
  fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(body),
  })

/** Sets the password of the first administrator with the link that the server prints. */
async function choosePassword(server: ServerProcess): Promise<string> {
  const password = 'chosen by the first administrator'
  for (let token; !token;) {
    token = /\/login\/new-password\?token=([\w-]+)/.exec(server.printed())?.[1]
    if (token) await postAuth(server, '/reset-password', { token, newPassword: password })
    else await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return password
}

/** Signs in as the first administrator. Sets the password first unless it was chosen. */
export async function signInAdministrator(server: ServerProcess, chosen?: string) {
  const password = chosen ?? (await choosePassword(server))
  const signIn = await postAuth(server, '/sign-in/email', { email: 'admin@publicway.local', password })
  const token = signIn.headers.get('set-auth-token')
  if (!token) throw new Error(`No sign-in: ${signIn.status} ${await signIn.text()}`)
  return { password, token, ...createCaller(server, token) }
}

/** Returns functions that call the server with a token, which remains valid after restarts. */
export function createCaller(server: ServerProcess, token: string) {
  /** Retries reads once, because the server may have closed an idle connection. */
  async function fetchWithRetry(url: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(server.url + url, request)
    } catch (error) {
      if (request.method !== 'GET') throw error
    }
    try {
      return await fetch(server.url + url, request)
    } catch (cause) {
      throw new Error(`${url} is not reached: ${server.printed().slice(-1000)}`, { cause })
    }
  }
  async function call(url: string, method: string, body?: unknown): Promise<Response> {
    const bytes = body instanceof Uint8Array
    const send = (): Promise<Response> =>
      fetchWithRetry(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined
            ? {}
            : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        },
        ...(body === undefined ? {} : { body: bytes ? Buffer.from(body) : JSON.stringify(body) }),
      })
    let response = await send()
    // A busy server refuses calls before it processes them, and says when to retry.
    for (let tries = 0; response.status === 429 && tries < 20; tries++) {
      await new Promise((resolve) =>
        setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)),
      )
      response = await send()
    }
    if (!response.ok)
      throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`)
    return response
  }
  return {
    call: async <Body>(
      url: string,
      method: 'GET' | 'POST' | 'PATCH' = 'GET',
      body?: unknown,
    ): Promise<Body> => (await (await call(url, method, body)).json()) as Body,
    text: async (url: string): Promise<string> => (await call(url, 'GET')).text(),
  }
}
