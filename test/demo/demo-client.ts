import type { DemoResponse, DemoServer } from '../../demo/servers/demo-server.ts'

type Fields = Record<string, unknown>

/** Calls a server of a demo operator without a network. */
export const demoClient =
  (server: DemoServer, headers: Record<string, string> = {}) =>
  (
    address: string,
    at: number,
    options: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Omit<DemoResponse, 'body'> & { body: Fields } => {
    const { pathname, searchParams } = new URL(address, 'http://demo')
    const { body, ...response } = server(
      {
        method: options.method ?? 'GET',
        path: pathname,
        query: searchParams,
        headers: { ...headers, ...options.headers },
        body: options.body ?? '',
        origin: 'http://demo',
      },
      at,
    )
    return { ...response, body: (body ?? {}) as Fields }
  }

/** Returns all items of a paginated list. */
export function readAllPages(
  request: ReturnType<typeof demoClient>,
  address: string,
  at: number,
  getItems: (body: Fields) => readonly unknown[],
): unknown[] {
  const items: unknown[] = []
  for (let next: string | null = address; next !== null;) {
    const { status, body } = request(next, at)
    if (status !== 200) throw new Error(`${next}: ${status}`)
    items.push(...getItems(body))
    next = ((body['links'] as Fields | undefined)?.['next'] as string | null | undefined) ?? null
  }
  return items
}
