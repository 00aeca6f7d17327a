// Tests the runner of derived data with products of the tests.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { Derivation } from '#server/derived/derivation.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import {
  countSpanChanges,
  listDirtyBetween,
  finishSpans,
  listDirty,
  markDirty,
  getPendingThresholds,
  readSpanVersions,
} from '#server/derived/dirty-spans.ts'
import { sealSpans } from '#server/derived/sealed-spans.ts'
import { IntervalTimer } from '#server/jobs/interval-timer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { stateKinds } from './open-stores.ts'
import { storeRegion } from '../store-region.ts'

describe.each(stateKinds)('the derivation on $name', (kind) => {
  let state: State
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await kind.open()
    state = opened.store
    close = opened.close
  })
  afterAll(() => close())

  const started: Derivation[] = []
  const timers: IntervalTimer[] = []
  /** Starts to derive what is due, like the server. */
  const start = (derivation: Derivation): void => {
    for (const kind of ['prompt', 'other'] as const) {
      const timer = new IntervalTimer({
        seconds: 0.1,
        isAligned: false,
        isDue: () => derivation.isDue(kind),
        now: () => new Date(),
        run: () => derivation.run(kind),
      })
      timer.start()
      timers.push(timer)
    }
  }
  afterEach(async () => {
    for (const timer of timers.splice(0)) timer.stop()
    for (const derivation of started.splice(0)) await derivation.stop()
    await state.as(systemScope).deleteFrom('region').execute()
  })
  const logged: string[] = []
  const clock = { now: 0 }
  const open = (...products: DerivedProduct[]): Derivation => {
    const derivation = new Derivation({
      state,
      nowMs: () => clock.now,
      log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
    })
    for (const product of products) derivation.add(product)
    started.push(derivation)
    return derivation
  }
  async function createRegion(): Promise<{ regionId: string; scope: Scope }> {
    const [regionId, organizationId] = [`r-${randomUUID().slice(0, 8)}`, randomUUID()]
    return {
      regionId,
      scope: await storeRegion(state, { organization_id: organizationId, region_id: regionId }),
    }
  }
  /** Makes a product that records in `derived` what it derives. */
  const makeDaysProduct = (
    derived: string[],
    overrides: Partial<DerivedProduct> & { during?: (spans: readonly string[]) => Promise<void> } = {},
  ): DerivedProduct => ({
    name: 'days',
    description: 'days of the test',
    settleMs: 60_000,
    maxSpans: 2,
    async derive({ regionId }, spans) {
      await overrides.during?.(spans)
      derived.push(`${regionId} ${spans.join(' ')}`)
    },
    ...overrides,
  })

  it('ignores marks of sealed spans', async () => {
    const { regionId, scope } = await createRegion()
    await sealSpans(state, scope, regionId, { days: '2026-05-02' })
    for (const product of ['days', 'other'])
      await markDirty(state, scope, { product, regionId }, { spans: ['2026-05-01', '2026-05-02'] })
    const list = (product: string) => listDirty(state, scope, { product, regionId }, { limit: 9 })
    expect(await list('days')).toEqual([{ span: '2026-05-02', wanted: '1' }])
    expect(await list('other')).toHaveLength(2)
  })

  it('derives the newest spans first, one batch of each region in turn', async () => {
    const [firstRegion, secondRegion] = [await createRegion(), await createRegion()]
    const [first, second] = [firstRegion, secondRegion].toSorted((a, b) =>
      a.regionId.localeCompare(b.regionId),
    ) as [typeof firstRegion, typeof firstRegion]
    for (const { regionId, scope } of [firstRegion, secondRegion])
      await markDirty(state, scope, { product: 'days', regionId }, { spans: ['01', '03', '02'] })
    const derived: string[] = []
    await open(makeDaysProduct(derived)).idle()
    expect(derived).toEqual([
      `${first.regionId} 03 02`,
      `${second.regionId} 03 02`,
      `${first.regionId} 01`,
      `${second.regionId} 01`,
    ])
  })

  it('derives a span again that was marked during its derivation', async () => {
    const { regionId, scope } = await createRegion()
    const owner = { product: 'days', regionId }
    await markDirty(state, scope, owner, { spans: ['01'] })
    const derived: string[] = []
    let marks = 1
    await open(
      makeDaysProduct(derived, {
        during: async () => {
          if (marks-- > 0) await markDirty(state, scope, owner, { spans: ['01'] })
        },
      }),
    ).idle()
    expect(derived).toEqual([`${regionId} 01`, `${regionId} 01`])
    expect(await listDirty(state, scope, owner, { limit: 10 })).toEqual([])
  })

  it('derives a span when it has been dirty for the settling time of the product', async () => {
    const { regionId, scope } = await createRegion()
    const derived: string[] = []
    clock.now = 1_000_000
    await markDirty(state, scope, { product: 'days', regionId }, { spans: ['01'], time: new Date(clock.now) })
    const advanced: string[] = []
    const derivation = open(
      makeDaysProduct(derived, {
        advance: async () => {
          advanced.push('step')
          return false
        },
      }),
    )
    start(derivation)
    await vi.waitFor(() => expect(advanced).toEqual(['step']), 10_000)
    clock.now += 30_000
    await markDirty(state, scope, { product: 'days', regionId }, { spans: ['02'], time: new Date(clock.now) })
    await derivation.idle(['other'])
    expect(derived).toEqual([])
    clock.now += 30_000
    await vi.waitFor(() => expect(derived).toEqual([`${regionId} 01`]), 10_000)
    clock.now += 30_000
    await vi.waitFor(() => expect(derived).toEqual([`${regionId} 01`, `${regionId} 02`]), 10_000)
  })

  it('derives older spans, although newer ones are marked again all the time', async () => {
    const { regionId, scope } = await createRegion()
    const owner = { product: 'days', regionId }
    clock.now = 1_000_000
    await markDirty(state, scope, owner, { spans: ['01', '02', '03', '04'], time: new Date(clock.now) })
    const derived: string[] = []
    const derivation = open(
      makeDaysProduct(derived, {
        during: () => markDirty(state, scope, owner, { spans: ['03', '04'], time: new Date(clock.now) }),
      }),
    )
    clock.now += 60_000
    start(derivation)
    await vi.waitFor(() => expect(derived).toEqual([`${regionId} 04 03`, `${regionId} 02 01`]), 10_000)
    clock.now += 60_000
    await vi.waitFor(() => expect(derived.at(2)).toBe(`${regionId} 04 03`), 10_000)
    expect(await listDirty(state, scope, owner, { limit: 10 })).toMatchObject([
      { span: '04' },
      { span: '03' },
    ])
  })

  it('reports spans as pending: at once if never derived, otherwise when they should have settled', async () => {
    const { regionId, scope } = await createRegion()
    const owner = { product: 'days', regionId }
    await markDirty(state, scope, owner, { spans: ['01', '02'], time: new Date(hourMs) })
    await finishSpans(state, scope, owner, {
      spans: [{ span: '01', wanted: '1' }],
      time: new Date(2 * hourMs),
    })
    await markDirty(state, scope, owner, { spans: ['01'], time: new Date(2 * hourMs) })
    const getPendingAt = (at: number) =>
      listDirtyBetween(
        state,
        scope,
        { ...owner, parts: [''] },
        { first: '01', last: '02', due: getPendingThresholds(600_000, at) },
      )
    expect(await getPendingAt(hourMs - 1)).toEqual([])
    expect(await getPendingAt(2 * hourMs + 599_999)).toEqual(['02'])
    expect(await getPendingAt(2 * hourMs + 600_000)).toEqual(['01', '02'])
    expect(
      await listDirtyBetween(state, scope, { ...owner, parts: [''] }, { first: '01', last: '02' }),
    ).toEqual(['01', '02'])
  })

  it('waits longer for a span that was derived before, unless it is marked as due', async () => {
    const { regionId, scope } = await createRegion()
    const owner = { product: 'days', regionId }
    clock.now = 1_000_000
    const mark = (span: string, at = clock.now) =>
      markDirty(state, scope, owner, { spans: [span], time: new Date(at) })
    await mark('01')
    const derived: string[] = []
    const derivation = open({ ...makeDaysProduct(derived), settleAgainMs: 600_000 })
    clock.now += 60_000
    start(derivation)
    await vi.waitFor(() => expect(derived).toEqual([`${regionId} 01`]), 10_000)
    await mark('01')
    clock.now += 60_000
    await mark('02', clock.now - 60_000)
    await vi.waitFor(() => expect(derived).toEqual([`${regionId} 01`, `${regionId} 02`]), 10_000)
    await mark('01', clock.now - 600_000)
    await vi.waitFor(() => expect(derived.at(2)).toBe(`${regionId} 01`), 10_000)
    expect(await listDirty(state, scope, owner, { limit: 10 })).toEqual([])
  })

  it('derives a prompt product while a batch of another one takes long', async () => {
    const { regionId, scope } = await createRegion()
    for (const product of ['days', 'runs'])
      await markDirty(state, scope, { product, regionId }, { spans: ['01'] })
    const [slow, prompt]: [string[], string[]] = [[], []]
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const derivation = open(makeDaysProduct(slow, { settleMs: 0, during: () => released }), {
      ...makeDaysProduct(prompt),
      name: 'runs',
      settleMs: 0,
      isPrompt: true,
    })
    clock.now = Date.now() + 1000
    start(derivation)
    await vi.waitFor(() => expect(prompt).toEqual([`${regionId} 01`]), 10_000)
    expect(slow).toEqual([])
    release()
    await vi.waitFor(() => expect(slow).toEqual([`${regionId} 01`]), 10_000)
  })

  it('leaves failed spans dirty, does not block other regions, and retries', async () => {
    const [firstRegion, secondRegion] = [await createRegion(), await createRegion()]
    for (const { regionId, scope } of [firstRegion, secondRegion])
      await markDirty(state, scope, { product: 'days', regionId }, { spans: ['01'] })
    const derived: string[] = []
    let failing = firstRegion.regionId
    const product = makeDaysProduct(derived)
    const derivation = open({
      ...product,
      derive: async (batch, ...rest) => {
        if (batch.regionId === failing) throw new Error('the engine is gone')
        return product.derive(batch, ...rest)
      },
    })
    await derivation.idle()
    expect(derived).toEqual([`${secondRegion.regionId} 01`])
    expect(logged.splice(0)).toEqual([
      `days {"regionId":"${firstRegion.regionId}","error":"the engine is gone"}`,
    ])
    expect(await derivation.readProgress(systemScope)).toMatchObject([
      {
        product: 'days',
        regions: [
          { regionId: firstRegion.regionId, dirty: 1, lastProblem: 'the engine is gone' },
          { regionId: secondRegion.regionId, dirty: 0, since: null, newest: '01', lastProblem: null },
        ].toSorted((a, b) => (a.regionId < b.regionId ? -1 : 1)),
      },
    ])
    failing = ''
    await derivation.idle()
    expect(derived).toEqual([`${secondRegion.regionId} 01`, `${firstRegion.regionId} 01`])
  })

  it('continues in a new process what the previous one did not finish', async () => {
    const { regionId, scope } = await createRegion()
    await markDirty(state, scope, { product: 'days', regionId }, { spans: ['01', '02', '03'] })
    const before: string[] = []
    const stopped = open(makeDaysProduct(before, { during: async () => void stopped.stop() }))
    await stopped.idle()
    const after: string[] = []
    await open(makeDaysProduct(after)).idle()
    expect([before, after]).toEqual([[`${regionId} 03 02`], [`${regionId} 01`]])
    expect(await listDirty(state, scope, { product: 'days', regionId }, { limit: 10 })).toEqual([])
  })

  it('runs steps until none remains, and derives what they mark', async () => {
    const { regionId, scope } = await createRegion()
    const derived: string[] = []
    let steps = 0
    await open(
      makeDaysProduct(derived, {
        advance: async () => {
          await markDirty(state, scope, { product: 'days', regionId }, { spans: [`0${++steps}`] })
          return steps < 3
        },
      }),
    ).idle()
    expect([steps, derived]).toEqual([3, [`${regionId} 03 02`, `${regionId} 01`]])
  })

  it('counts changes of spans that are derived on request', async () => {
    const { regionId, scope } = await createRegion()
    const owner = { product: 'facts', regionId }
    await countSpanChanges(state, scope, owner, ['01', '02'])
    await countSpanChanges(state, scope, owner, ['02'])
    expect(await readSpanVersions(state, scope, owner, { first: '01', last: '02' })).toEqual(
      new Map([
        ['01', 1n],
        ['02', 2n],
      ]),
    )
    expect(await listDirty(state, scope, owner, { limit: 10 })).toEqual([])
  })

  it('removes runs that are finished', async () => {
    const { regionId, scope } = await createRegion()
    const owner = { product: 'runs', regionId }
    await markDirty(state, scope, owner, { spans: ['a', 'b'] })
    const [b, a] = await listDirty(state, scope, owner, { limit: 10 })
    await markDirty(state, scope, owner, { spans: ['a'] })
    await finishSpans(state, scope, owner, {
      spans: [a, b].flatMap((span) => span ?? []),
      time: new Date(0),
      isOnce: true,
    })
    expect((await listDirty(state, scope, owner, { limit: 10 })).map(({ span }) => span)).toEqual(['a'])
  })
})
