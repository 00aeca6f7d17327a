import { QueryClientProvider } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Region } from '#contract/regions.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { testRegion } from '#web/shell/test-responses.ts'
import { RegionDialog } from './region-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

async function renderDialog(region: Region | null, responses: Responses = {}) {
  const onClose = vi.fn<() => void>()
  const server = fakeServer(responses)
  await renderPart(
    <QueryClientProvider client={createQueryClient()}>
      <RegionDialog region={region} onClose={onClose} />
    </QueryClientProvider>,
  )
  const dialog = within(await screen.findByRole('dialog', { hidden: true }))
  return {
    ...server,
    dialog,
    onClose,
    field: (label: RegExp) => dialog.getByLabelText(label, { selector: 'input' }),
  }
}
/** Pastes the text, because typing it key by key takes seconds here. */
const fill = async (field: HTMLElement, text: string) => {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}
/** Picks an option from the list of this field; the page contains many lists. */
const pick = async (field: HTMLElement, option: string) => {
  await waitFor(() => expect(field).toHaveAttribute('aria-controls'))
  await userEvent.click(
    within(document.getElementById(field.getAttribute('aria-controls')!)!).getByText(option),
  )
}
/** Defaults of a new region. */
const defaults = {
  hasMdsData: false,
  hasMonthlyZip: false,
  allowedMaps: null,
  logoFilename: null,
  privacyMinimum: 10,
  rawRetentionDays: 30,
  lostAfterHours: 48,
  countsUncertain: false,
  operatingHours: { from: '06:00', until: '22:00' },
}
const ashford = { ...testRegion('ashford', 'Ashford'), isMetric: true, currencyCode: 'EUR' }

describe('a new region', () => {
  it('a new region has an id that follows its name until another is typed', async () => {
    const { field } = await renderDialog(null)
    await fill(field(/^Name/), 'São Ana')
    expect(field(/^Id/)).toHaveValue('sao-ana')
    await fill(field(/^Id/), 'ana')
    await fill(field(/^Name/), 'São Ana do Sul')
    expect(field(/^Id/)).toHaveValue('ana')
  })

  it('a new region is not sent while a number is missing', async () => {
    const { dialog, field, requests, onClose } = await renderDialog(null)
    await fill(field(/^Name/), 'Ana')
    await fill(field(/^Latitude/), '41.5')
    await userEvent.click(dialog.getByText('Create region'))
    expect(requests).toEqual([])
    expect(onClose).not.toHaveBeenCalled()
  })

  it('a new region is created with Enter, with the chosen units and zone', async () => {
    const { field, requests, onClose } = await renderDialog(null, { 'POST /v2/regions': ({ body }) => body })
    await fill(field(/^Name/), ' Ana ')
    await userEvent.click(field(/^Units/))
    await pick(field(/^Units/), 'Metric (km)')
    await fill(field(/^Time zone/), 'Lisbon')
    await pick(field(/^Time zone/), 'Europe/Lisbon')
    await fill(field(/^Currency/), 'eur')
    expect(field(/^Currency/)).toHaveValue('EUR')
    await fill(field(/^Latitude/), '38.7')
    await fill(field(/^Longitude/), '-9.1')
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(requests.map((request) => request.body)).toEqual([
      {
        regionId: 'ana',
        text: 'Ana',
        timezone: 'Europe/Lisbon',
        lat: 38.7,
        lon: -9.1,
        mapZoom: 12,
        isMetric: true,
        currencyCode: 'EUR',
        ...defaults,
      },
    ])
  })

  it('shows the server’s errors at their fields, and the id to quote', async () => {
    const errorResponse = new ErrorResponse(422, 'The request is not valid', 'invalid', {
      issues: { 'body.regionId': 'This id is taken', 'body.timezone': 'Not an IANA time zone' },
    })
    const { dialog, field, onClose } = await renderDialog(null, { 'POST /v2/regions': () => errorResponse })
    await fill(field(/^Name/), 'Ana')
    await fill(field(/^Latitude/), '1')
    await fill(field(/^Longitude/), '2')
    await userEvent.click(dialog.getByText('Create region'))
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'The region could not be savedThe request is not validError id, for support: quote-me',
    )
    expect(field(/^Id/)).toHaveAccessibleDescription(expect.stringContaining('This id is taken'))
    expect(field(/^Time zone/)).toHaveAccessibleDescription('Not an IANA time zone')
    expect(field(/^Name/)).not.toHaveAttribute('aria-invalid', 'true')
    expect(field(/^Name/)).toHaveValue('Ana')
    expect(onClose).not.toHaveBeenCalled()
  })
})

describe('an existing region', () => {
  it('an existing region is shown with its values, and its id cannot be changed', async () => {
    const { field } = await renderDialog(ashford)
    expect(field(/^Name/)).toHaveValue('Ashford')
    expect(field(/^Units/)).toHaveValue('Metric (km)')
    expect(field(/^Currency/)).toHaveValue('EUR')
    await userEvent.type(field(/^Id/), 'x')
    await fill(field(/^Name/), ' Town')
    expect(field(/^Id/)).toHaveValue('ashford')
  })

  it('an existing region is sent with its unchanged values', async () => {
    const { dialog, field, requests, onClose } = await renderDialog(
      { ...ashford, allowedMaps: ['trips'], privacyMinimum: 10 },
      { 'PATCH /v2/regions/ashford': () => ashford },
    )
    await fill(field(/^Map zoom/), '9.5')
    await userEvent.click(dialog.getByText('Save'))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(requests[0]?.body).toEqual({
      text: 'Ashford',
      timezone: 'America/New_York',
      lat: 32.7,
      lon: -79.9,
      mapZoom: 9.5,
      isMetric: true,
      currencyCode: 'EUR',
      hasMdsData: true,
      hasMonthlyZip: false,
      allowedMaps: ['trips'],
      logoFilename: null,
      privacyMinimum: 10,
      rawRetentionDays: 30,
      lostAfterHours: 48,
      countsUncertain: false,
      operatingHours: { from: '06:00', until: '22:00' },
    })
  })

  it('an existing region can change its features, and shows the server’s error at its field', async () => {
    const errorResponse = new ErrorResponse(422, 'The request is not valid', 'invalid', {
      issues: { 'body.allowedMaps.0': 'No such map', 'body.privacyMinimum': 'Too small' },
    })
    const { dialog, field, requests } = await renderDialog(ashford, {
      'PATCH /v2/regions/ashford': () => errorResponse,
    })
    await userEvent.click(dialog.getByLabelText('Only these maps'))
    await userEvent.click(dialog.getByLabelText('Routes'))
    await userEvent.click(dialog.getByLabelText('Has MDS data'))
    await userEvent.click(dialog.getByLabelText('Count uncertain positions as violations'))
    await fill(field(/^Logo file/), 'ashford.svg')
    await fill(field(/^Privacy minimum/), '5')
    await fill(field(/^Operating until/), '24:00')
    await fill(field(/^Raw input stored/), '7')
    await userEvent.click(dialog.getByText('Save'))
    await dialog.findByText('The region could not be saved')
    expect(requests[0]?.body).toMatchObject({
      allowedMaps: ['live', '311', 'distribution', 'operator-drop-offs', 'parking', 'trips', 'policy'],
      hasMdsData: false,
      logoFilename: 'ashford.svg',
      privacyMinimum: 5,
      rawRetentionDays: 7,
      lostAfterHours: 48,
      countsUncertain: true,
      operatingHours: { from: '06:00', until: '24:00' },
    })
    expect(dialog.getByText('No such map')).toBeInTheDocument()
    expect(field(/^Privacy minimum/)).toHaveAccessibleDescription(expect.stringContaining('Too small'))
  })

  it('keeps a time zone that this browser does not know', async () => {
    const { field } = await renderDialog({ ...ashford, timezone: 'Etc/Elsewhere' })
    expect(field(/^Time zone/)).toHaveValue('Etc/Elsewhere')
  })

  it('an existing region is closed by Esc', async () => {
    const { onClose, requests } = await renderDialog(ashford)
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
    expect(requests).toEqual([])
  })
})
