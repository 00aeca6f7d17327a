import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import type { IssueReport } from './issue-report.ts'
import {
  listStatusChanges,
  getClosedTime,
  type KnownIssue,
  mergeIssue,
  computeResolutionHours,
} from './merge-issue.ts'

const start = Date.UTC(2026, 6, 1)
const openReport: IssueReport = {
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
const report = (overrides: Partial<IssueReport>): IssueReport => ({ ...openReport, ...overrides })
const mergeReports = (reports: readonly (readonly [IssueReport, number])[]): KnownIssue =>
  reports.reduce<KnownIssue | null>(
    (known, [report, observed]) => mergeIssue(known, report, observed),
    null,
  ) as KnownIssue

describe('an issue', () => {
  const open = [report({}), start + hourMs] as const
  const closed = [
    report({
      status: 'closed',
      sourceStatus: 'Closed',
      updated: start + 30 * hourMs,
      closed: start + 30 * hourMs,
    }),
    start + 31 * hourMs,
  ] as const

  it('is its newest version, in whatever order they arrive', () => {
    for (const order of [
      [open, closed],
      [closed, open],
    ]) {
      const known = mergeReports(order)
      expect(known.report).toEqual(closed[0])
      expect(known.firstSeen).toBe(start + hourMs)
      expect(listStatusChanges(known.history).map(({ at, status }) => [at - start, status])).toEqual([
        [0, 'open'],
        [30 * hourMs, 'closed'],
      ])
      expect(computeResolutionHours(known)).toBe(30)
    }
  })

  it('is unchanged when received again', () => {
    const known = mergeReports([open, closed])
    expect(mergeIssue(known, ...closed)).toBe(known)
    expect(mergeIssue(known, closed[0], start + 90 * hourMs)).toBe(known)
    expect(mergeIssue(known, ...open)).toBe(known)
  })

  it('is its last received version if it has no times of change', () => {
    const undated = report({ updated: null, address: 'old' })
    expect(
      mergeReports([
        [undated, start],
        [{ ...undated, address: 'new' }, start + 1],
      ]).report.address,
    ).toBe('new')
    expect(
      mergeReports([
        [{ ...undated, address: 'new' }, start + 1],
        [undated, start],
      ]).report.address,
    ).toBe('new')
  })

  it('is the version with more fields if two have the same time', () => {
    const withoutDistricts = report({ districts: {} })
    for (const order of [
      [withoutDistricts, openReport],
      [openReport, withoutDistricts],
    ])
      expect(mergeReports(order.map((report) => [report, start] as const)).report).toEqual(openReport)
  })

  it('can be reopened', () => {
    const reopened = [
      report({ sourceStatus: 'Reopened', updated: start + 50 * hourMs }),
      start + 50 * hourMs,
    ] as const
    const known = mergeReports([open, closed, reopened])
    expect(listStatusChanges(known.history).map(({ sourceStatus }) => sourceStatus)).toEqual([
      'Received',
      'Closed',
      'Reopened',
    ])
    expect([getClosedTime(known), computeResolutionHours(known)]).toEqual([null, null])
  })

  it('was closed when it was first reported closed if it has no closing time', () => {
    const unreported = (hours: number) =>
      [
        report({ status: 'closed', sourceStatus: 'Closed', updated: start + hours * hourMs }),
        start + hours * hourMs,
      ] as const
    expect(computeResolutionHours(mergeReports([open, unreported(40), unreported(60)]))).toBe(40)
    expect(computeResolutionHours(mergeReports([unreported(60), unreported(40), open]))).toBe(40)
    expect(
      computeResolutionHours(mergeReports([[report({ status: 'closed', updated: null }), start + 5]])),
    ).toBeNull()
  })

  it('has no resolution time if it was closed before it was requested', () => {
    expect(
      computeResolutionHours(
        mergeReports([[report({ status: 'closed', closed: start - hourMs, updated: start }), start]]),
      ),
    ).toBeNull()
  })

  it('has a bounded history even if a source always changes its times', () => {
    let known: KnownIssue | null = null
    for (let minute = 0; minute < 1000; minute++)
      known = mergeIssue(
        known,
        report({
          updated: start + minute * 60_000,
          ...(minute % 400 === 399 ? { status: 'closed' as const, sourceStatus: 'Closed' } : {}),
        }),
        start + minute * 60_000,
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
  const anyVersion = fc.record({
    at: fc.integer({ min: 0, max: 40 }),
    isClosed: fc.boolean(),
    word: fc.constantFrom('New', 'Assigned', 'Done'),
    hasClosingTime: fc.boolean(),
  })
  const anyVersions = fc.uniqueArray(anyVersion, { selector: ({ at }) => at, minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(
      anyVersions.chain((versions) =>
        fc.tuple(
          fc.constant(versions),
          fc.shuffledSubarray([...versions, ...versions, ...versions], { minLength: versions.length * 3 }),
        ),
      ),
      ([versions, shuffled]) => {
        const makeIssue = ({ at, isClosed, word, hasClosingTime }: (typeof versions)[number]) =>
          [
            report({
              status: isClosed ? 'closed' : 'open',
              sourceStatus: word,
              updated: start + at * hourMs,
              closed: isClosed && hasClosingTime ? start + (at - 1) * hourMs : null,
            }),
            start + at * hourMs,
          ] as const
        const inOrder = mergeReports(versions.toSorted((a, b) => a.at - b.at).map(makeIssue))
        const known = mergeReports(shuffled.map(makeIssue))
        expect(known).toEqual(inOrder)
        expect(getClosedTime(known)).toBe(getClosedTime(inOrder))
      },
    ),
  )
})
