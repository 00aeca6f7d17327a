import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { PlayHead } from '#web/map-page/time/play-head.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { IssueCard } from './issue-card.tsx'
import { IssueHover } from './issue-hover.tsx'
import { IssuesLegend } from './issues-legend.tsx'
import { IssueSteps } from './issue-steps.ts'
import { testIssue, testPoints, testTypes } from './test-issues.ts'
import { TypesField } from './types-field.tsx'

const timezone = 'America/New_York'
const plain = (text: string | null): string => (text ?? '').replaceAll(' ', ' ')

describe('the card of an issue', () => {
  const show = (some: Parameters<typeof testIssue>[0], onClear = vi.fn()) =>
    renderPart(
      <IssueCard
        id="SR-1"
        response={{ data: testIssue(some), error: null, refetch: vi.fn() }}
        timezone={timezone}
        scheme="light"
        stack={null}
        onClear={onClear}
      />,
    )

  it('shows that an open issue is not closed, without a resolution time', async () => {
    const { container } = await show({
      status: 'open',
      source_status: 'Open',
      closed_time: null,
      resolution_time: null,
    })
    expect(plain(container.textContent)).toContain('ClosedNot yet')
    expect(container).not.toHaveTextContent('Resolution time')
    // The city's term equals ours, so it is shown once.
    expect(container).not.toHaveTextContent('· Open')
  })

  it('shows n/a for an unknown closing time of a closed issue', async () => {
    const { container } = await show({ closed_time: null, resolution_time: null })
    expect(plain(container.textContent)).toContain('Closedn/aResolution timen/a')
  })

  it('shows unknown values, such as place and address, and the feed', async () => {
    const { container } = await show({
      lat: null,
      lon: null,
      address: null,
      source: '6f1b1d1e-0000-4000-8000-00000000000a',
      description: '',
    })
    expect(container).toHaveTextContent('Its location is unknown, so it is not on the map.')
    expect(container).toHaveTextContent('AddressUnknown')
    expect(container).toHaveTextContent('SourceFeed')
  })

  it("lists status changes in order, in the city's terms, with machine-readable times", async () => {
    await show({})
    const items = within(screen.getByRole('list')).getAllByRole('listitem')
    expect(items.map((option) => plain(option.textContent))).toEqual([
      'ReceivedMar 1, 2026, 10:30 PM',
      'ResolvedMar 3, 2026, 4:30 AM',
    ])
    expect(items.map((item) => item.querySelector('time')?.getAttribute('datetime'))).toEqual([
      '2026-03-02T03:30:00.000Z',
      '2026-03-03T09:30:00.000Z',
    ])
  })

  it('closes with its button', async () => {
    const clear = vi.fn()
    await show({}, clear)
    await userEvent.click(screen.getByRole('button', { name: 'Clear the selection' }))
    expect(clear).toHaveBeenCalledOnce()
  })

  it('steps through the issues at one place', async () => {
    const go = vi.fn()
    await renderPart(
      <IssueCard
        id="SR-1"
        response={{ data: testIssue(), error: null, refetch: vi.fn() }}
        timezone={timezone}
        scheme="dark"
        stack={{ index: 1, count: 1200, go }}
        onClear={vi.fn()}
      />,
    )
    expect(screen.getByText('2 of 1,200 at this location')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Previous issue at this location' }))
    await userEvent.click(screen.getByRole('button', { name: 'Next issue at this location' }))
    expect(go.mock.calls).toEqual([[-1], [1]])
  })
})

describe('the legend', () => {
  const entries = [{ key: 'open', label: 'Open', color: '#D55E00', count: 1234 }]
  const show = (some: Partial<Parameters<typeof IssuesLegend>[0]> = {}) =>
    renderPart(
      <IssuesLegend
        colorBy="status"
        points={{ ...testPoints, total: 1234, placed: 3 }}
        entries={entries}
        hasClusters={false}
        hasStacks={false}
        isOpen
        onOpen={vi.fn()}
        {...some}
      />,
    )

  it('explains marks of several issues if the map has them', async () => {
    await show({ hasClusters: true })
    expect(screen.getByText('Nearby issues, with their number and colors')).toBeInTheDocument()
    expect(screen.queryByText('Issues at one location, with their number')).not.toBeInTheDocument()
    expect(screen.getByText('1,231 have no known location and are in the table only.')).toBeInTheDocument()
  })

  it('omits what is not on the map', async () => {
    await show({ points: { ...testPoints, total: 3, placed: 3 } })
    expect(screen.queryByRole('list', { name: 'Marks of many issues' })).not.toBeInTheDocument()
    expect(screen.queryByText(/known place|newest/)).not.toBeInTheDocument()
  })

  it('shows the number while collapsed, and expands again', async () => {
    const open = vi.fn()
    await show({ isOpen: false, onOpen: open })
    expect(screen.getByRole('heading', { name: '1,234 issues' })).toBeInTheDocument()
    expect(screen.queryByRole('list')).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Open the legend' }))
    expect(open).toHaveBeenCalledWith(true)
  })
})

describe('the card under the pointer', () => {
  const renderText = async (id: string, playing: Parameters<typeof IssueHover>[0]['playing'] = null) =>
    plain(
      (
        await renderPart(<IssueHover id={id} points={testPoints} playing={playing} />)
      ).container.querySelector('[class*="card"]')?.textContent ?? null,
    )
  it('shows several issues, and how to separate them', async () =>
    expect(await renderText('cluster/1200')).toBe('1,200 issuesPress to zoom in'))
  it('shows several issues at one place, with the newest one by name', async () =>
    expect(await renderText('files:SR-1')).toBe('2 issues hereNewest: Scooter in the wayClosed · SR-1'))
  it('shows one issue', async () =>
    expect(await renderText('files:SR-3')).toBe('Scooter in the wayOpen · SR-3'))
  it('the card under the pointer is empty for an unknown issue', async () =>
    expect(await renderText('files:SR-9')).toBe(''))

  it('shows the current day of a playback', async () => {
    const playback = new IssueSteps(
      { ...testPoints, day: [20_513, 20_512, 20_512] },
      { start_date: '2026-02-28', end_date: '2026-03-01' },
    )
    const head = new PlayHead(2, 1)
    const playing = { playback, head, savePosition: () => {}, restorePosition: () => {} }
    expect(await renderText('files:SR-1', playing)).toBe('Scooter in the wayClosed · SR-1')
    expect(await renderText('files:SR-3', playing)).toBe('')
  })
})

describe('the type filter', () => {
  const show = async (some: Partial<Parameters<typeof TypesField>[0]> = {}) => {
    const change = vi.fn()
    await renderPart(
      <TypesField types={testTypes} status={undefined} value={[]} onChange={change} {...some} />,
    )
    await userEvent.click(screen.getByRole('combobox', { name: 'Types' }))
    return { change, options: (await screen.findAllByRole('option')).map((option) => option.textContent) }
  }

  it('shows the number of each type, most frequent first', async () => {
    expect((await show()).options).toEqual(['Scooter in the way3', 'pothole1'])
  })

  it('shows the numbers for the selected status', async () => {
    expect((await show({ status: 'closed' })).options).toEqual(['Scooter in the way2', 'pothole0'])
  })

  it('retains selected types, known or not; deselecting the last one selects all', async () => {
    const { change, options } = await show({ value: ['gone'] })
    expect(options).toEqual(['Scooter in the way3', 'pothole1', 'gone0'])
    await userEvent.click(screen.getByRole('option', { name: /^pothole/ }))
    expect(change).toHaveBeenLastCalledWith(['gone', 'pothole'])
    await userEvent.click(screen.getByRole('option', { name: /^gone/ }))
    expect(change).toHaveBeenLastCalledWith(undefined)
  })
})
