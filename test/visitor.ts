import type { LightMyRequestResponse } from 'fastify'
import { request, type TestApp } from './app.ts'

let addresses = 0

/** A browser with its own IP address, cookies and the origin of our pages. */
export class Visitor {
  readonly #app: TestApp
  readonly cookies = new Map<string, string>()
  readonly from: string
  constructor(
    app: TestApp,
    from = `10.${64 + (++addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`,
  ) {
    this.#app = app
    this.from = from
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async #send(
    method: 'GET' | 'POST',
    url: string,
    body: unknown,
    overrides: Record<string, string>,
  ): Promise<LightMyRequestResponse> {
    const ownHeaders: Record<string, string> = {
      host: 'streets.example',
      origin: 'http://streets.example',
      ...(this.cookies.size ? { cookie: this.cookie } : {}),
    }
    const response = await request(this.#app, {
      method,
      url,
      headers: { ...ownHeaders, ...overrides },
      ...(method === 'POST' ? { body } : {}),
      from: this.from,
    })
    for (const line of [response.headers['set-cookie']].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line ?? '') ?? []
      if (/max-age=0/i.test(line ?? '')) this.cookies.delete(name)
      else if (name) this.cookies.set(name, value)
    }
    return response
  }

  /** Sends a request to a path below /api/auth. */
  auth(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    return this.#send('POST', `/api/auth${path}`, body, headers)
  }

  get(url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.#send('GET', url, undefined, headers)
  }

  signIn(email: string, password: string): Promise<LightMyRequestResponse> {
    return this.auth('/sign-in/email', { email, password })
  }

  async isIn(): Promise<boolean> {
    return (await this.get('/v2/users/me')).statusCode === 200
  }
}

/** Status and error code of a response; the code is null if there is none. */
export function getError(response: LightMyRequestResponse): [number, string | null] {
  const { code } = (response.body ? response.json() : {}) as { code?: string }
  return [response.statusCode, code ?? null]
}
