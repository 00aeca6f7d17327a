import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dataColors } from '#web/kit/theme.ts'
import { binsShown, lastMap, shownMaps } from '#web/map/test-map-view.tsx'
import { harbour, mapResponses } from '#web/map-page/test-map.ts'
import { getCells, findLegend, openMap } from './test-mode-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

describe('playing through time', () => {
  it('shows one bucket in legend, table and map, and steps through them', async () => {
    const { search } = await openMap('trips', '?results=true&by=hour_of_day&at=7')
    const slider = await screen.findByRole('slider', { name: 'Time' })
    expect(slider).toHaveAttribute('aria-valuetext', '7:00 AM to 8:00 AM: 48 trips')
    expect(await findLegend()).toHaveTextContent(/Outside all .*1Total48/)
    await waitFor(() => expect(getCells('Harbour')).toEqual(['Harbour', '7']))
    const before = [...lastMap()!.playing!.states().values()]
    fireEvent.keyDown(slider, { key: 'End' })
    expect(await findLegend()).toHaveTextContent(/Outside all .*1Total64/)
    expect(getCells('Harbour')).toEqual(['Harbour', '23'])
    const after = [...lastMap()!.playing!.states().values()]
    // The shape whose class changed has a new state; the other state is the same object.
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).toBe(before[1])
    await waitFor(() => expect(search()).toMatchObject({ by: 'hour_of_day', at: '23' }))
  })

  it("names the period of a selected area's figures, which are not limited to the bucket", async () => {
    await openMap('trips', `?shape=${harbour}&by=hour_of_day&start_date=2026-03-01&end_date=2026-03-02`)
    await screen.findByRole('slider', { name: 'Time' })
    const card = screen.getByRole('region', { name: 'Selected area' })
    expect(within(card).getByRole('heading', { name: /^Harbour, Mar 1/ })).toBeInTheDocument()
  })

  it('opens with its button, by day if the weather of the period is shown', async () => {
    const march = { start_date: '2026-03-01', end_date: '2026-03-02' }
    const { search, requests } = await openMap('trips', '?start_date=2026-03-01&end_date=2026-03-02')
    await userEvent.click(await screen.findByRole('button', { name: 'Play through time' }))
    expect(await screen.findByRole('slider', { name: 'Time' })).toHaveFocus()
    expect(search()).toMatchObject({ by: 'hour_of_day' })
    await userEvent.click(screen.getByRole('radio', { name: 'Day' }))
    await waitFor(() => expect(screen.getByRole('slider', { name: 'Time' })).toHaveFocus())
    await userEvent.click(screen.getByRole('button', { name: 'Close the time axis' }))
    await waitFor(() => expect(search()).toEqual(march))
    await userEvent.click(screen.getByRole('button', { name: 'Buffer, colors and weather' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Weather' }))
    await waitFor(() => expect(search()).toEqual({ ...march, under: ['weather'] }))
    await userEvent.click(screen.getByRole('checkbox', { name: '311 issues' }))
    const strips = within(await screen.findByRole('region', { name: 'Show by day' }))
    expect(await strips.findByText('Rain on 1 of 1 day, 1 in · highs 50 to 50 °F')).toBeInTheDocument()
    expect(await strips.findByText('1 issue')).toBeInTheDocument()
    expect(screen.queryByRole('slider', { name: 'Time' })).not.toBeInTheDocument()
    expect(lastMap()?.playing).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Play through time' }))
    expect(await screen.findByText('50 °F · 1 in of rain')).toBeInTheDocument()
    expect(search()).toMatchObject({ by: 'day', under: ['weather', 'issues'] })
    expect(screen.getByText('Weather: Harbour station')).toBeInTheDocument()
    expect(await screen.findByText('1 issue')).toBeInTheDocument()
    expect(screen.getByText('311 issues: city311')).toBeInTheDocument()
    expect(requests.filter(({ path }) => path.endsWith('/weather'))).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Close the time axis' }))
    await waitFor(() => expect(search()).toEqual({ ...march, under: ['weather', 'issues'] }))
    expect(screen.getByRole('checkbox', { name: 'Weather' })).toBeChecked()
    expect(lastMap()?.playing).toBeNull()
    expect(await screen.findByRole('button', { name: 'Play through time' })).toHaveFocus()
  })

  it('remains closed without weather, which is explained below the map of the whole period', async () => {
    const weather = { 'GET /v2/regions/port-meridian/weather': () => ({ units: {}, items: [] }) }
    await openMap('trips', '?under=weather', { ...mapResponses(), ...weather })
    const strips = await screen.findByRole('region', { name: 'Show by day' })
    expect(await within(strips).findByText(/^No weather for these days\./)).toBeInTheDocument()
    expect(strips).toHaveTextContent(/connect a weather feed/i)
    expect(lastMap()?.playing).toBeNull()
  })
})

describe('comparing periods', () => {
  const year =
    '?results=true&start_date=2026-03-01&end_date=2026-03-31&compare_start_date=2025-03-01&compare_end_date=2025-03-31'

  it('shows the difference, with colors symmetric around zero', async () => {
    const { questions } = await openMap('trips', year)
    expect(await screen.findByRole('heading', { name: 'Origins: change' })).toBeInTheDocument()
    expect(
      questions()
        .map(({ start_date }) => start_date)
        .toSorted(),
    ).toEqual(['2025-03-01', '2026-03-01'])
    await waitFor(() => expect(getCells('Harbour')).toEqual(['Harbour', '30', '20', '+10', '+50']))
    expect(getCells('Mill')).toEqual(['Mill', '12', '2', '+10', '+500'])
    expect(within(await findLegend()).getByText('+20')).toBeInTheDocument()
    expect(binsShown(lastMap())).toEqual([2, 2])
    expect(JSON.stringify(lastMap()?.scene.layers)).toContain(dataColors.light.diverging[6])
    expect(screen.queryByRole('button', { name: 'Play through time' })).not.toBeInTheDocument()
  })

  it('the card of the selected area has both periods and the change', async () => {
    await openMap('trips', `${year}&shape=${harbour}`)
    const card = within(await screen.findByRole('region', { name: 'Selected area' }))
    await waitFor(() =>
      expect(card.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
        '30',
        '20',
        '+10 (+50%)',
      ]),
    )
    expect(card.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Mar 1.+31, 2026$/),
      expect.stringMatching(/^Mar 1.+31, 2025$/),
      'Change',
    ])
  })

  it('shows the difference in percent', async () => {
    await openMap('trips', `${year}&percent=true`)
    expect(await within(await findLegend()).findByText('% of Mar 1 – 31, 2025')).toBeInTheDocument()
    await waitFor(() => expect(binsShown(lastMap())).toEqual([3, 4]))
  })

  it('shows both periods side by side in the same colors', async () => {
    await openMap('trips', `${year}&side_by_side=true`)
    const getMapsBeside = () =>
      [...shownMaps].filter(([title]) => title.includes(', Mar')).map(([, shown]) => binsShown(shown))
    await waitFor(() =>
      expect(getMapsBeside()).toEqual([
        [3, 1],
        [2, 0],
      ]),
    )
    // The legend is collapsed to make room for the second map.
    expect(within(await findLegend()).queryByText('Total before')).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Open the legend' }))
    expect(within(await findLegend()).getByText('Total before')).toBeInTheDocument()
  })

  it('starts with the previous period', async () => {
    const { search } = await openMap('trips', '?start_date=2026-03-11&end_date=2026-03-20&by=day')
    await findLegend()
    await userEvent.click(screen.getByRole('switch', { name: 'Compare with another period' }))
    await waitFor(() =>
      expect(search()).toEqual({
        start_date: '2026-03-11',
        end_date: '2026-03-20',
        compare_start_date: '2026-03-01',
        compare_end_date: '2026-03-10',
      }),
    )
    await userEvent.click(await screen.findByRole('radio', { name: 'Side by side' }))
    await waitFor(() => expect(search()).toMatchObject({ side_by_side: true }))
  })
})
