import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { binsShown, lastMap, shownMaps } from '#web/map/test-map-view.tsx'
import { getCells } from '#web/evaluation/test-mode-screen.tsx'
import { dataColors } from '#web/kit/theme.ts'
import { findLegend, openIssues } from './test-issues-map.tsx'

afterEach(() => vi.unstubAllGlobals())

const march = 'start_date=2026-02-28&end_date=2026-03-01'
const findSlider = () => screen.findByRole('slider', { name: 'Time' })
const readDrawn = () => lastMap()!.fleet!.read()
const readRows = async () =>
  within(within(await findLegend()).getByRole('list', { name: 'Colors and their numbers' }))
    .getAllByRole('listitem')
    .map((element) => element.textContent)

describe('points day by day', () => {
  it('points day by day are shown on the map and in the legend for the current day, and in the table', async () => {
    const { requests, search } = await openIssues(`?${march}&by=day&at=2026-03-01&results=true&page=2`)
    expect(await findSlider()).toHaveAttribute('aria-valuetext', 'Sun, Mar 1, 2026: 2 issues')
    expect(within(await findLegend()).getByRole('heading', { name: '2 issues' })).toBeInTheDocument()
    expect(await readRows()).toEqual(['Open1', 'Closed1'])
    await waitFor(() => expect(readDrawn()?.stations.map(({ text }) => text)).toEqual(['2']))
    expect(await screen.findByText('124 issues · Sun, Mar 1, 2026')).toBeInTheDocument()
    fireEvent.keyDown(await findSlider(), { key: 'ArrowLeft' })
    expect(await readRows()).toEqual(['Open1', 'Closed0'])
    expect(screen.getByText('1 has no known location and is in the table only.')).toBeInTheDocument()
    expect([readDrawn()?.count, readDrawn()?.stations]).toEqual([1, []])
    await waitFor(() =>
      expect(search()).toEqual({
        start_date: '2026-02-28',
        end_date: '2026-03-01',
        by: 'day',
        at: '2026-02-28',
        results: true,
      }),
    )
    await waitFor(() =>
      expect(requests('').at(-1)).toMatchObject({
        start_date: '2026-02-28',
        end_date: '2026-02-28',
        page: '1',
      }),
    )
    expect(requests('/points')).toHaveLength(1)
  })

  it('points day by day remain at their day when something else in the URL changes', async () => {
    const { search } = await openIssues(`?${march}&by=day`)
    const weather = await screen.findByRole('checkbox', { name: 'Weather' })
    fireEvent.keyDown(await findSlider(), { key: 'End' })
    // Before the day is written to the URL.
    fireEvent.click(weather)
    await waitFor(() =>
      expect(search()).toEqual({
        start_date: '2026-02-28',
        end_date: '2026-03-01',
        by: 'day',
        under: ['weather'],
      }),
    )
    expect(await findSlider()).toHaveAttribute('aria-valuenow', '1')
    expect(screen.queryByRole('checkbox', { name: '311 issues' })).not.toBeInTheDocument()
  })

  it('points day by day stay closed when the weather of the period is shown', async () => {
    const { search } = await openIssues(`?${march}`)
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Weather' }))
    expect(await screen.findByRole('region', { name: 'Show by day' })).toBeInTheDocument()
    expect(search()).toMatchObject({ under: ['weather'] })
    expect(search()).not.toHaveProperty('by')
    expect(within(await findLegend()).getByRole('heading', { name: '4 issues' })).toBeInTheDocument()
  })

  it('points day by day are opened with a button; closing shows all points again', async () => {
    const { search } = await openIssues(`?${march}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Play through time' }))
    await findSlider()
    expect(search()).toMatchObject({ by: 'day' })
    await userEvent.click(screen.getByRole('button', { name: 'Close the time axis' }))
    await waitFor(() => expect(screen.queryByRole('slider')).not.toBeInTheDocument())
    expect(within(await findLegend()).getByRole('heading', { name: '4 issues' })).toBeInTheDocument()
  })
})

describe('shapes day by day', () => {
  it('shapes day by day have one request for all days, and constant colors while the numbers change', async () => {
    const { requests } = await openIssues(`?show=shapes&measure=open&${march}&by=day&results=true`)
    expect(await findSlider()).toHaveAttribute('aria-valuetext', 'Sat, Feb 28, 2026: 2 open issues')
    expect(await findLegend()).toHaveTextContent(/Outside all .*1Total2/)
    expect(getCells('Mill')).toEqual(['Mill', '1'])
    const bins = (await within(await findLegend()).findByRole('list', { name: 'Colors and their values' }))
      .textContent
    const before = [...lastMap()!.playing!.states().values()].map(({ bin }) => bin)
    fireEvent.keyDown(await findSlider(), { key: 'ArrowRight' })
    expect(getCells('Harbour')).toEqual(['Harbour', '2'])
    expect([before, [...lastMap()!.playing!.states().values()].map(({ bin }) => bin)]).toEqual([
      [-1, 0],
      [1, -1],
    ])
    // The classes are equal except for their numbers of shapes.
    expect(bins?.replaceAll(/\d+ areas?/g, '')).toBe(
      within(await findLegend())
        .getByRole('list', { name: 'Colors and their values' })
        .textContent?.replaceAll(/\d+ areas?/g, ''),
    )
    expect(requests('/by_shape_and_day')).toEqual([
      expect.objectContaining({ measure: 'open', start_date: '2026-02-28', end_date: '2026-03-01' }),
    ])
  })
})

describe('two periods of shapes', () => {
  const year =
    '?show=shapes&results=true&start_date=2026-03-01&end_date=2026-03-31&compare_start_date=2025-03-01&compare_end_date=2025-03-31'

  it('two periods of shapes show the difference, with colors symmetric around zero', async () => {
    const { requests } = await openIssues(year)
    expect(await screen.findByRole('heading', { name: 'Issues: change' })).toBeInTheDocument()
    expect(
      requests('/by_shape')
        .map(({ start_date }) => start_date)
        .toSorted(),
    ).toEqual(['2025-03-01', '2026-03-01'])
    await waitFor(() => expect(getCells('Harbour')).toEqual(['Harbour', '2', '5', '-3', '-60']))
    expect(getCells('Mill')).toEqual(['Mill', '1', '0', '+1', 'n/a'])
    await waitFor(() =>
      expect(JSON.stringify(lastMap()?.scene.layers)).toContain(dataColors.light.diverging[6]),
    )
    // Two bins on either side of the middle: three fewer is the strongest, one more the weaker one.
    expect(binsShown(lastMap())).toEqual([0, 3])
    expect(screen.queryByRole('button', { name: 'Play through time' })).not.toBeInTheDocument()
  })

  it('two periods of shapes are shown side by side in the same colors', async () => {
    await openIssues(`${year}&side_by_side=true`)
    const getMapsBeside = () =>
      [...shownMaps].filter(([title]) => title.includes(', Mar')).map(([, shown]) => binsShown(shown))
    await waitFor(() =>
      expect(getMapsBeside()).toEqual([
        [1, 0],
        [2, -1],
      ]),
    )
    expect(within(await findLegend()).getByText('Total before')).toBeInTheDocument()
  })

  it('two periods of shapes start with the previous period, and end when points are shown', async () => {
    const { search } = await openIssues('?show=shapes&start_date=2026-03-11&end_date=2026-03-20&by=day')
    await findLegend()
    await userEvent.click(screen.getByRole('switch', { name: 'Compare with another period' }))
    await waitFor(() =>
      expect(search()).toEqual({
        show: 'shapes',
        start_date: '2026-03-11',
        end_date: '2026-03-20',
        compare_start_date: '2026-03-01',
        compare_end_date: '2026-03-10',
      }),
    )
    await userEvent.click(screen.getByRole('radio', { name: 'Points' }))
    await waitFor(() => expect(search()).toEqual({ start_date: '2026-03-11', end_date: '2026-03-20' }))
    expect(screen.queryByRole('switch')).not.toBeInTheDocument()
  })
})
