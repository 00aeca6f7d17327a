import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDatabase } from '../../test/engines/open-stores.ts'
import { openTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts'
import { openServerMessages, type ServerMessages } from './server-messages.ts'
import { TableChanges } from './changes.ts'
import { shareChanges } from './share-changes.ts'

const { TEST_DATABASE_URL = '' } = process.env

describe.skipIf(!TEST_DATABASE_URL)('messages among servers (skipped without TEST_DATABASE_URL)', () => {
  let drop: () => Promise<void>
  let link: TcpProxy
  let a: ServerMessages
  let b: ServerMessages
  beforeAll(async () => {
    const database = await createDatabase(TEST_DATABASE_URL)
    drop = database.drop
    const url = new URL(database.url)
    link = await openTcpProxy(url.hostname, Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(link.port)
    a = openServerMessages(database.url)
    b = openServerMessages(url.href)
  })
  afterAll(async () => {
    await a.close()
    await b.close()
    await link.close()
    await drop()
  })

  it('messages among servers reach all servers but the sender in order; after a lost connection a gap is reported', async () => {
    const received: unknown[] = []
    const messages: unknown[] = []
    let gaps = 0
    b.on('x', ({ n }) => received.push(n))
    a.on('x', ({ n }) => messages.push(n))
    b.onGap(() => gaps++)
    await vi.waitFor(() => {
      a.send('x', { n: 0 })
      expect(received).toContain(0)
    })
    received.length = 0
    for (let n = 1; n <= 50; n++) a.send('x', { n })
    await vi.waitFor(() =>
      expect(received.filter((n) => n !== 0)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1)),
    )
    expect(messages).toEqual([])

    link.cut()
    a.send('x', { n: 51 })
    // Messages of a server without a connection are sent later.
    b.send('x', { n: 'late' })
    link.restore()
    await vi.waitFor(() => expect(gaps).toBe(1), 10_000)
    await vi.waitFor(() => expect(messages).toEqual(['late']), 10_000)
    a.send('x', { n: 52 })
    await vi.waitFor(() => expect(received).toContain(52))
  })

  it('messages among servers invalidate caches of other servers by table, and all after a gap', async () => {
    const [one, two] = [new TableChanges(), new TableChanges()]
    shareChanges(one, a)
    shareChanges(two, b)
    const before = two.countFor(['region'])
    const others = two.countFor(['user'])
    one.record('region')
    one.record('pgboss')
    await vi.waitFor(() => expect(two.countFor(['region'])).toBeGreaterThan(before), 5000)
    expect(two.countFor(['user'])).toBe(others)
    link.cut()
    link.restore()
    await vi.waitFor(() => expect(two.countFor(['user'])).toBeGreaterThan(others), 10_000)
  })
})
