import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { signIns } from '../../demo/sign-ins.ts'

/** A signed-in client of a running server. Its calls throw an Error with the server's message. */
export interface ApiClient {
  json(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  sendFile(path: string, file: string): Promise<Record<string, unknown>>
}

export interface ApiSettings {
  /** Origin of the server. */
  url: string
  email: string
  password: string
  /** Used instead of signing in. */
  token?: string | undefined
  /** Path of the file that stores the tokens of earlier runs. */
  tokenFile?: string
  pause?: (ms: number) => Promise<unknown>
  printLine?: (line: string) => void
}

/** Returns the path of the tokens of these commands, in a file that only this user can read. */
export const getDefaultTokenFile = (): string =>
  path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config'), 'publicway', 'tokens.json')

const maxTries = 6
/** If the server requests a longer pause, the call fails instead of waiting. */
const maxPauseSeconds = 20 * 60

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  const body = (text.startsWith('{') ? JSON.parse(text) : { detail: text }) as Record<string, unknown>
  if (!response.ok)
    throw new Error(
      `${response.status}: ${String(body['detail'] ?? body['message'] ?? text)}${body['id'] ? ` (${String(body['id'])})` : ''}`,
    )
  return body
}

function readTokens(file: string): Record<string, string> {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

function storeToken(file: string, key: string, token: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(file, JSON.stringify({ ...readTokens(file), [key]: token }), { mode: 0o600 })
}

/** Opens the client of a command by its options, else by the environment, else as the demo's administrator. */
export function openCommandClient(options: {
  url?: string | undefined
  email?: string | undefined
  password?: string | undefined
}): Promise<ApiClient> {
  const administrator = signIns[0]
  return openApiClient({
    url: options.url ?? `http://127.0.0.1:${process.env['PORT'] ?? 4870}`,
    token: process.env['PUBLICWAY_TOKEN'],
    email: options.email ?? process.env['PUBLICWAY_EMAIL'] ?? administrator?.email ?? '',
    password: options.password ?? process.env['PUBLICWAY_PASSWORD'] ?? administrator?.password ?? '',
  })
}

/**
 * Creates a client that calls the server as one user. It signs in only if no token of an earlier run is
 * stored or if that has expired, so that many runs in a row do not exceed the rate limit of sign-ins. After a
 * response 429 or 503 it waits as long as Retry-After requests and tries again.
 */
export async function openApiClient({
  url,
  email,
  password,
  token: givenToken,
  tokenFile = getDefaultTokenFile(),
  pause = wait,
  printLine = console.error,
}: ApiSettings): Promise<ApiClient> {
  const key = `${url} ${email}`

  /** Sends until the server accepts it, each time a new request, because a body can be read only once. */
  async function send(urlPath: string, request: () => RequestInit): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await fetch(url + urlPath, request()).catch((error: unknown) => {
        if ((error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ECONNREFUSED')
          throw new Error(`No server answers at ${url}. Start it with npm start, or name another with --url.`)
        throw error
      })
      if (response.status !== 429 && response.status !== 503) return response
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
      const seconds = Number.isFinite(retryAfter) && retryAfter >= 0 ? Math.max(1, retryAfter) : 2 ** tries
      if (tries === maxTries || seconds > maxPauseSeconds) return response
      await response.body?.cancel()
      printLine(`The server asks to wait ${seconds} s (${response.status}).`)
      await pause(seconds * 1000)
    }
  }

  async function signIn(): Promise<string> {
    const response = await send('/api/auth/sign-in/email', () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    }))
    await readJson(response.clone())
    const token = response.headers.get('set-auth-token')
    if (!token)
      throw new Error(
        'The server gave no token: the account needs a second factor. Sign in to the browser and name a token with PUBLICWAY_TOKEN.',
      )
    storeToken(tokenFile, key, token)
    return token
  }

  let token = givenToken ?? readTokens(tokenFile)[key] ?? (await signIn())
  /** Whether signing in again would not help: the token is given, or was just received. */
  let isFresh = givenToken !== undefined

  async function call(urlPath: string, request: () => RequestInit): Promise<Record<string, unknown>> {
    const authorized = (): RequestInit => {
      const { headers, ...rest } = request()
      return {
        ...rest,
        headers: { ...(headers as Record<string, string> | undefined), authorization: `Bearer ${token}` },
      }
    }
    const response = await send(urlPath, authorized)
    if (response.status !== 401 || isFresh) return readJson(response)
    await response.body?.cancel()
    token = await signIn()
    isFresh = true
    return readJson(await send(urlPath, authorized))
  }

  return {
    json: (method, urlPath, body) =>
      call(urlPath, () => ({
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })),
    sendFile: (urlPath, file) =>
      call(
        urlPath,
        () =>
          ({
            method: 'POST',
            headers: { 'content-type': 'application/octet-stream' },
            body: Readable.toWeb(fs.createReadStream(file)) as ReadableStream,
            duplex: 'half',
          }) as RequestInit,
      ),
  }
}
