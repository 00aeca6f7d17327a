import fs from 'node:fs'
import { Readable } from 'node:stream'

/** A signed-in caller of a running server. */
export interface ApiClient {
  json(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  sendFile(path: string, file: string): Promise<Record<string, unknown>>
}

async function read(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text()
  const body = (text.startsWith('{') ? JSON.parse(text) : { detail: text }) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${answer.status}: ${String(body['detail'] ?? body['message'] ?? text)}${body['id'] ? ` (${String(body['id'])})` : ''}`)
  return body
}

/** Signs in by e-mail and password; throws what the server says. */
export async function apiClient(url: string, credential: { email: string; password: string }): Promise<ApiClient> {
  const signIn = await fetch(`${url}/api/auth/sign-in/email`, { method: 'POST', headers: { 'content-type': 'application/json', origin: url }, body: JSON.stringify(credential) }).catch(() => {
    throw new Error(`No server answers at ${url}. Start it with npm start, or name another with --url.`)
  })
  await read(signIn.clone())
  const token = signIn.headers.get('set-auth-token')
  const authorization = { authorization: `Bearer ${token}` }
  return {
    json: async (method, path, body) =>
      read(await fetch(url + path, { method, headers: { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })),
    sendFile: async (path, file) =>
      read(await fetch(url + path, { method: 'POST', headers: { ...authorization, 'content-type': 'application/octet-stream' }, body: Readable.toWeb(fs.createReadStream(file)) as ReadableStream, duplex: 'half' } as RequestInit)),
  }
}
