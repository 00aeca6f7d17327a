import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { IssueReport } from './issue-report.ts'
import {
  listStatusChanges,
  closedTime,
  type KnownIssue,
  mergeIssue,
  computeResolutionHours,
} from './merge-issue.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 6, 1)
const plain: IssueReport = {
  issueId: '17',
  serviceCode: 'scooter',
  serviceName: 'Scooter in the way',
  description: '',
  status: 'open',
  sourceStatus: 'Received',
  requested: start,
  updated: start,
  closed: null,
  address: '1 Main St',
  lat: 40,
  lon: -83,
  districts: { ward: '6' },
}
const report = (overrides: Partial<IssueReport>): IssueReport => ({ ...plain, ...overrides })
const merged = (reports: readonly (readonly [IssueReport, number])[]): KnownIssue =>
  reports.reduce<KnownIssue | null>(
    (known, [report, observed]) => mergeIssue(known, report, observed),
    null,
  ) as KnownIssue

describe('an issue', () => {
  const open = [report({}), start + hour] as const
  const closed = [
    report({
      status: 'closed',
      sourceStatus: 'Closed',
      updated: start + 30 * hour,
      closed: start + 30 * hour,
    }),
    start + 31 * hour,
  ] as const

  it('is its newest version, in whatever order they arrive', () => {
    for (const order of [
      [open, closed],
      [closed, open],
    ]) {
      const known = merged(order)
      expect(known.report).toEqual(closed[0])
      expect(known.firstSeen).toBe(start + hour)
      expect(listStatusChanges(known.history).map(({ at, status }) => [at - start, status])).toEqual([
        [0, 'open'],
        [30 * hour, 'closed'],
      ])
      expect(computeResolutionHours(known)).toBe(30)
    }
  })

  it('is unchanged when received again', () => {
    const known = merged([open, closed])
    expect(mergeIssue(known, ...closed)).toBe(known)
    expect(mergeIssue(known, closed[0], start + 90 * hour)).toBe(known)
    expect(mergeIssue(known, ...open)).toBe(known)
  })

  it('without times of change is its last received version', () => {
    const plain = report({ updated: null, address: 'old' })
    expect(
      merged([
        [plain, start],
        [{ ...plain, address: 'new' }, start + 1],
      ]).report.address,
    ).toBe('new')
    expect(
      merged([
        [{ ...plain, address: 'new' }, start + 1],
        [plain, start],
      ]).report.address,
    ).toBe('new')
  })

  it('with two versions of one time is the one with more fields', () => {
    const thin = report({ districts: {} })
    for (const order of [
      [thin, plain],
      [plain, thin],
    ])
      expect(merged(order.map((report) => [report, start] as const)).report).toEqual(plain)
  })

  it('can be reopened', () => {
    const again = [
      report({ sourceStatus: 'Reopened', updated: start + 50 * hour }),
      start + 50 * hour,
    ] as const
    const known = merged([open, closed, again])
    expect(listStatusChanges(known.history).map(({ sourceStatus }) => sourceStatus)).toEqual([
      'Received',
      'Closed',
      'Reopened',
    ])
    expect([closedTime(known), computeResolutionHours(known)]).toEqual([null, null])
  })

  it('without a closing time was closed when it was first reported closed', () => {
    const unreported = (hours: number) =>
      [
        report({ status: 'closed', sourceStatus: 'Closed', updated: start + hours * hour }),
        start + hours * hour,
      ] as const
    expect(computeResolutionHours(merged([open, unreported(40), unreported(60)]))).toBe(40)
    expect(computeResolutionHours(merged([unreported(60), unreported(40), open]))).toBe(40)
    expect(
      computeResolutionHours(merged([[report({ status: 'closed', updated: null }), start + 5]])),
    ).toBeNull()
  })

  it('closed before it was requested has no resolution time', () => {
    expect(
      computeResolutionHours(
        merged([[report({ status: 'closed', closed: start - hour, updated: start }), start]]),
      ),
    ).toBeNull()
  })

  it('has a bounded history even if a source always changes its times', () => {
    let known: KnownIssue | null = null
    for (let n = 0; n < 1000; n++)
      known = mergeIssue(
        known,
        report({
          updated: start + n * 60_000,
          ...(n % 400 === 399 ? { status: 'closed' as const, sourceStatus: 'Closed' } : {}),
        }),
        start + n * 60_000,
      )
    expect(known?.history.length).toBeLessThanOrEqual(200)
    expect(listStatusChanges(known?.history ?? []).map(({ status }) => status)).toEqual([
      'open',
      'closed',
      'open',
      'closed',
      'open',
    ])
  })
})

test('mergeIssue returns the same result whatever the order, repetition and batches of its versions', () => {
  const version = fc.record({
    at: fc.integer({ min: 0, max: 40 }),
    isClosed: fc.boolean(),
    word: fc.constantFrom('New', 'Assigned', 'Done'),
    tellsClosing: fc.boolean(),
  })
  const reported = fc.uniqueArray(version, { selector: ({ at }) => at, minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(
      reported.chain((versions) =>
        fc.tuple(
          fc.constant(versions),
          fc.shuffledSubarray([...versions, ...versions, ...versions], { minLength: versions.length * 3 }),
        ),
      ),
      ([versions, shuffled]) => {
        const makeIssue = ({ at, isClosed, word, tellsClosing }: (typeof versions)[number]) =>
          [
            report({
              status: isClosed ? 'closed' : 'open',
              sourceStatus: word,
              updated: start + at * hour,
              closed: isClosed && tellsClosing ? start + (at - 1) * hour : null,
            }),
            start + at * hour,
          ] as const
        const inOrder = merged(versions.toSorted((a, b) => a.at - b.at).map(makeIssue))
        const known = merged(shuffled.map(makeIssue))
        expect(known).toEqual(inOrder)
        expect(closedTime(known)).toBe(closedTime(inOrder))
      },
    ),
  )
})
