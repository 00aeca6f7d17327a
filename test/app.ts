import fs from 'node:fs'
import path from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import type { EndpointOutput, RequestInput, Endpoint, Prefix } from '#contract/endpoint.ts'
import { isMedia } from '#contract/endpoint.ts'
import { type ProblemCode, problems } from '#contract/problem-text.ts'
import { ProblemBody } from '#contract/problem.ts'
import { type App, openApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { serveEndpoints } from '#server/http/serve.ts'
import { openWebApp } from '#server/http/web-app.ts'
import { findViewer } from '#server/identity/find-viewer.ts'
import { createDataDir } from './new-data-dir.ts'

/** The application on embedded stores in a temporary folder. */
export interface TestApp extends App {
  dataDir: string
  /** Lines that the server logged, each a JSON text. */
  logged: string[]
  /** Sent mails and text messages, oldest first. */
  mails: TestMail[]
  /** Closes the application but keeps its data, as when the server is stopped. */
  stop(): Promise<void>
  /** Closes the application and removes its data. */
  close(): Promise<void>
}

/** A mail or text message. The server logs them if no mail or SMS service is configured. */
export interface TestMail {
  to: string
  /** Only mails have one. */
  subject?: string
  text: string
}

/** A signed-in user with the token and cookie of the session. */
export interface SignedIn {
  email: string
  token: string
  cookie: string
}

const web = '<!doctype html><title>Publicway</title>'

/** Opens the application, with `dataDir` on existing data. `settings` are environment variables. */
export async function openTestApp(
  dataDir = createDataDir(),
  settings: Record<string, string> = {},
): Promise<TestApp> {
  const webRoot = path.join(dataDir, 'web')
  fs.mkdirSync(webRoot, { recursive: true })
  fs.writeFileSync(path.join(webRoot, 'index.html'), web)
  const logged: string[] = []
  const mails: TestMail[] = []
  const app = await openApp(
    readConfig({ DATA_DIR: dataDir, DEMO: 'off', ...settings }),
    webRoot,
    (line, details) => {
      logged.push(JSON.stringify({ line, ...details }))
      if (line === 'mail' || line === 'text message') mails.push(details as unknown as TestMail)
    },
  )
  await app.http.ready()
  const stop = app.close
  return {
    ...app,
    dataDir,
    logged,
    mails,
    stop,
    async close() {
      await stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD'
  url: string
  headers?: Record<string, string>
  /** Objects are sent as JSON, bytes unchanged. */
  body?: unknown
  /** IP address of the client. */
  from?: string
}

/** An HTTP server of an application, or one that serves only some rooms. */
type Served = Pick<TestApp, 'http'>

/** Serves only these routes on the stores of an application. */
export async function serveRoutes(
  app: TestApp,
  routes: Parameters<typeof serveEndpoints>[1],
  { log = () => undefined, onDone = () => undefined }: Partial<Parameters<typeof serveEndpoints>[2]> = {},
) {
  const http = await openWebApp(app.dataDir, log, { development: false, trustedProxies: [] })
  const getViewer = (headers: Headers) => findViewer(app.auth, app.state, headers)
  serveEndpoints(http, routes, { getViewer, publicUrl: 'http://city.example', log, onDone })
  return http
}

/** Sends a request to the HTTP server without a network. */
export function request(
  { http }: Served,
  { method, url, headers = {}, body, from = '10.0.0.1' }: Request,
): Promise<LightMyRequestResponse> {
  const bytes = body instanceof Uint8Array
  const payload =
    body === undefined ? {} : bytes ? { payload: Buffer.from(body) } : { payload: JSON.stringify(body) }
  const type =
    body === undefined ? {} : { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }
  return http.inject({ method, url, headers: { ...type, ...headers }, remoteAddress: from, ...payload })
}

let addresses = 0

/** Signs in, each time from another IP address, so that the rate limit per address does not apply. */
export async function signIn(app: TestApp, email: string, password: string): Promise<SignedIn> {
  const number = ++addresses
  const response = await request(app, {
    method: 'POST',
    url: '/api/auth/sign-in/email',
    body: { email, password },
    from: `10.1.${number >> 8}.${number & 255}`,
  })
  if (response.statusCode !== 200)
    throw new Error(`${email} cannot sign in: ${response.statusCode} ${response.body}`)
  const [cookie] = [response.headers['set-cookie']].flat()
  return { email, token: String(response.headers['set-auth-token']), cookie: cookie?.split(';')[0] ?? '' }
}

export type CallInput<E extends Endpoint> = Partial<RequestInput<E>>

/** Returns the path and query of an endpoint with these parameters. */
export function makeUrl(
  endpoint: Endpoint,
  input: { params?: unknown; query?: unknown },
  prefix: Prefix | undefined = endpoint.prefixes[0],
): string {
  const params = { ...(input.params as Record<string, unknown> | undefined) }
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const query = Object.entries({ ...(input.query as Record<string, unknown> | undefined) }).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return `${prefix}${filled}${query.length ? `?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}` : ''}`
}

/** Calls an endpoint of the contract and returns the response, whatever its status. */
export const send = <E extends Endpoint>(
  app: Served,
  as: SignedIn | null,
  endpoint: E,
  input: CallInput<E> = {},
  prefix?: Prefix,
): Promise<LightMyRequestResponse> =>
  request(app, {
    method: endpoint.method,
    url: makeUrl(endpoint, input, prefix),
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
    body: input.body,
  })

/** Calls an endpoint and returns the status and text of the response. */
export async function sendTo<E extends Endpoint>(
  app: Served,
  as: SignedIn | null,
  endpoint: E,
  input: CallInput<E> = {},
): Promise<{ status: number; text: string }> {
  const { statusCode: status, body: text } = await send(app, as, endpoint, input)
  return { status, text }
}

/** Calls an endpoint. Throws unless the call succeeds and the response matches the contract. */
export async function call<E extends Endpoint>(
  app: Served,
  as: SignedIn | null,
  endpoint: E,
  input: CallInput<E> = {},
): Promise<EndpointOutput<E>> {
  const response = await send(app, as, endpoint, input)
  if (response.statusCode !== 200)
    throw new Error(
      `${endpoint.method} ${makeUrl(endpoint, input)} answered ${response.statusCode}: ${response.body}`,
    )
  if (isMedia(endpoint.response)) return new Uint8Array(response.rawPayload) as EndpointOutput<E>
  return endpoint.response.parse(response.json()) as EndpointOutput<E>
}

/** Parses an error response. Throws unless it has the common format, a known code and an error id. */
export function readProblem(response: LightMyRequestResponse): ProblemBody {
  const problem = ProblemBody.parse(response.json())
  const known = problems[problem.code as ProblemCode]
  if (
    problem.status !== response.statusCode ||
    known?.status !== problem.status ||
    known.text !== problem.title ||
    !/^[0-9a-f]{8}$/.test(problem.id)
  )
    throw new Error(`No problem of ours: ${response.statusCode} ${response.body}`)
  return problem
}
