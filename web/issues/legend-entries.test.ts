import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import type { IssueType } from '#contract/issues.ts'
import { recountEntries, listLegendEntries } from './legend-entries.ts'

const t = ((key: string, options?: { count: number }) =>
  `${key}${options ? ` ${options.count}` : ''}`) as unknown as TFunction
const type = (code: string, open: number, closed: number): IssueType => ({
  service_code: code,
  service_name: `Type ${code}`,
  open,
  closed,
})
const regionTypes = Array.from({ length: 12 }, (_, index) => type(String(index), 100 - index, 0))
const sum = (entries: readonly { count: number }[]): number =>
  entries.reduce((all, { count }) => all + count, 0)

describe('the legend of points', () => {
  it('by status has the statuses that occur', () => {
    expect(
      listLegendEntries(t, {
        matchingTypes: [type('0', 3, 4), type('1', 1, 0)],
        regionTypes,
        colorBy: 'status',
        scheme: 'light',
      }).map(({ label, count }) => [label, count]),
    ).toEqual([
      ['issues:status.open', 4],
      ['issues:status.closed', 4],
    ])
    expect(
      listLegendEntries(t, {
        matchingTypes: [type('0', 0, 4)],
        regionTypes,
        colorBy: 'status',
        scheme: 'light',
      }).map(({ key }) => key),
    ).toEqual(['closed'])
  })

  it('by type has the types with their own color in order, and all others as one', () => {
    const entries = listLegendEntries(t, {
      matchingTypes: [type('9', 5, 0), type('2', 1, 1), type('11', 0, 2)],
      regionTypes,
      colorBy: 'type',
      scheme: 'light',
    })
    expect(entries.map(({ label, count }) => [label, count])).toEqual([
      ['Type 2', 2],
      ['issues:legend.others 2', 7],
    ])
  })

  it.each(['status', 'type'] as const)('by %s adds up to all matching issues', (colorBy) => {
    const types = regionTypes.map(({ service_code }, index) => type(service_code, index, 2 * index))
    expect(sum(listLegendEntries(t, { matchingTypes: types, regionTypes, colorBy, scheme: 'dark' }))).toBe(
      types.reduce((all, { open, closed }) => all + open + closed, 0),
    )
  })

  it('gives a type the same color, whatever else is shown', () => {
    const getColor = (types: IssueType[]) =>
      listLegendEntries(t, { matchingTypes: types, regionTypes, colorBy: 'type', scheme: 'light' }).find(
        ({ key }) => key === '3',
      )?.color
    expect(getColor([type('3', 1, 0)])).toBe(getColor(regionTypes))
  })

  it('has constant rows during a playback, including empty ones', () => {
    const entriesFor = (types: IssueType[]) =>
      listLegendEntries(t, { matchingTypes: types, regionTypes, colorBy: 'status', scheme: 'light' })
    expect(
      recountEntries(entriesFor([type('1', 3, 2)]), entriesFor([type('1', 0, 1)])).map(({ key, count }) => [
        key,
        count,
      ]),
    ).toEqual([
      ['open', 0],
      ['closed', 1],
    ])
  })
})
