import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { geographyResponses, layerId, shapeId, testLayer, testShape } from '#web/map-page/test-geography.ts'
import { testFields } from './test-policy.ts'
import { renderWithRequests } from './test-requests.tsx'
import { PolicyForm } from './policy-form.tsx'
import { type PolicyDraft, usePolicyDraft } from './use-policy-draft.ts'

/** The form as last rendered. */
const held = {} as { form: PolicyDraft }
function Held({ start, layers }: { start: PolicyFields; layers: readonly Layer[] }) {
  const form = usePolicyDraft(start, 'USD')
  held.form = form
  return (
    <>
      <PolicyForm
        form={form}
        layers={layers}
        today="2026-11-22"
        regionId="port-meridian"
        operatorName={(slug) => slug}
      />
      <button type="button" onClick={() => form.check()}>
        Try
      </button>
    </>
  )
}
const show = async (overrides: Partial<PolicyFields> = {}) => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(220)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(220)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(320)
  fakeServer({
    ...geographyResponses(testLayer, [testShape, { ...testShape, shape_uuid: layerId, shape_name: 'South' }]),
    'GET /v2/operators': () => ({ items: [], total: 0, page: 1, size: 300 }),
  })
  return renderWithRequests(<Held start={testFields(overrides)} layers={[testLayer]} />)
}
const tryIt = () => userEvent.click(screen.getByText('Try'))
const hasDays = () => screen.queryByRole('group', { name: 'Days' }) !== null
const has = (label: string | RegExp) => screen.queryAllByLabelText(label).length > 0

afterEach(() => vi.unstubAllGlobals())

describe('the fields of a type', () => {
  it('no ride: days, times and a rider message; missing times are midnight', async () => {
    await show({ end_time: '23:59:59' })
    expect([hasDays(), has('Message in American English'), has('Minimum'), has(/^Price/)]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(screen.getByLabelText('Start time')).toHaveValue('00:00')
    expect(screen.getByLabelText('End time')).toHaveValue('00:00')
  })

  it('vehicle cap: bounds and states in the entire region, without days, times or message', async () => {
    await show({ policy_type: 'vehicle_cap' })
    expect(screen.getByText('Policies of this type apply to the whole region.')).toBeInTheDocument()
    expect([
      hasDays(),
      has('Start time'),
      has('Message in American English'),
      has('Minimum'),
      has('Maximum'),
      has('Vehicle states'),
    ]).toEqual([false, false, false, true, true, true])
  })

  it('parking fees by schedule: a table with at least one row, without days and times', async () => {
    await show({ policy_type: 'parking_fees' })
    held.form.setStructure('variable_price_schedule')
    const table = within(await screen.findByLabelText('Prices by time of day'))
    expect([hasDays(), has('Start time'), has('Message in American English')]).toEqual([false, false, false])
    expect(table.getByLabelText('Remove row 1 of Every day')).toBeDisabled()
    await userEvent.click(table.getByText('Add a row'))
    expect(table.getByLabelText('Row 2, Every day')).toBeInTheDocument()
    expect(table.getByLabelText('Remove row 1 of Every day')).toBeEnabled()
    held.form.setStructure('variable_price_parking_duration')
    const rows = within(await screen.findByLabelText('Prices by parking duration in minutes'))
    expect(rows.getByLabelText('Remove row 1')).toBeDisabled()
    expect(held.form.draft.fee_properties.prices).toEqual({})
  })
})

describe('the form', () => {
  it("shows no errors before the first save, then each field's error until it is fixed", async () => {
    await show({ policy_type: 'no_ride', start_time: '08:30:00' })
    expect(screen.queryByText('Please enter a value')).not.toBeInTheDocument()
    await tryIt()
    expect(await screen.findByText('Please enter a value')).toBeInTheDocument()
    expect(
      screen.getByText("Policy only supports hour increments. Minutes must be ':00'"),
    ).toBeInTheDocument()
    await userEvent.clear(screen.getByLabelText('Start time'))
    await userEvent.type(screen.getByLabelText('Start time'), '22:00{Enter}')
    expect(screen.queryByText(/hour increments/)).not.toBeInTheDocument()
    expect(held.form.draft.start_time).toBe('22:00:00')
  })

  it('points out a time window over midnight', async () => {
    await show({ start_time: '22:00:00', end_time: '06:00:00' })
    expect(
      screen.getByText('Runs overnight, starting on the selected days. Times are in 24 hour format.'),
    ).toBeInTheDocument()
    expect(screen.getByText('10 PM')).toBeInTheDocument()
    expect(screen.getByText('6 AM')).toBeInTheDocument()
  })

  it('selects shapes by checkbox, and requires one', async () => {
    await show({ shape_layer_uuid: layerId })
    await userEvent.click(screen.getByLabelText('Only these areas'))
    await tryIt()
    expect(await screen.findByText('Choose at least one area, or all areas')).toBeInTheDocument()
    await userEvent.click(await screen.findByLabelText('North'))
    expect(held.form.draft.shape_uuids).toEqual([shapeId])
    expect(screen.getByText('1 selected')).toBeInTheDocument()
    await userEvent.click(screen.getByLabelText('All areas'))
    expect(held.form.draft.shape_uuids).toEqual([])
  })

  it('resets the fields of the previous type', async () => {
    await show({ policy_type: 'no_ride', shape_layer_uuid: 'citywide', days: [1], start_time: '08:00:00' })
    held.form.setType('slow_ride')
    await vi.waitFor(() =>
      expect(held.form.draft).toMatchObject({
        policy_type: 'slow_ride',
        unit: 'mph',
        shape_layer_uuid: null,
        days: [1],
      }),
    )
    held.form.setType('vehicle_cap')
    await vi.waitFor(() =>
      expect(held.form.draft).toMatchObject({
        policy_type: 'vehicle_cap',
        unit: null,
        days: [],
        start_time: null,
      }),
    )
  })

  it('keeps the end after the start, and marks a missing price without an error text', async () => {
    await show({ policy_type: 'trip_fees' })
    held.form.change({ start_date: '2026-12-01', end_date: '2026-11-01' })
    await vi.waitFor(() => expect(held.form.draft.end_date).toBe('2026-12-01'))
    await tryIt()
    await vi.waitFor(() => expect(held.form.errorFor('value')).toBe('\u00a0'))
    held.form.setServerFaults(new Map([['operators', "There is no operator 'x'."]]))
    await vi.waitFor(() => expect(held.form.errorFor('operators')).toBe("There is no operator 'x'."))
    held.form.change({ operators: ['glide'] })
    await vi.waitFor(() => expect(held.form.errorFor('operators')).toBeNull())
  })

  it('adds and removes rider messages by language', async () => {
    await show({ messages: { es: 'Hola' } })
    expect(screen.getByLabelText('Message in Spanish')).toHaveValue('Hola')
    await userEvent.type(screen.getByLabelText('Message in American English'), 'Hi')
    expect(held.form.draft.messages).toEqual({ es: 'Hola', 'en-US': 'Hi' })
    await userEvent.click(screen.getByLabelText('Remove the message in Spanish'))
    expect(held.form.draft.messages).toEqual({ 'en-US': 'Hi' })
  })
})
