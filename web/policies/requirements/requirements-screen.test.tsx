import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { type Requirements, makeDefaultPrograms } from '#contract/requirements.ts'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { RequirementsScreen } from './requirements-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry(
    '/admin/regions/$regionId/requirements',
    'policies:requirements.page',
    RequirementsScreen,
    'is_admin',
  ),
]
const address = '/v2/regions/port-meridian/requirements'
const makeOperator = (slug: string, name: string, providerId: string | null) => ({
  slug,
  name,
  providerId,
  colorHex: '#123456',
  isNamed: true,
  feeds: 1,
  hasTrips: true,
})
afterEach(() => vi.unstubAllGlobals())

/** Opens the page with a server that stores what it receives, or responds with `refusal`. */
async function renderScreen(errorResponse?: ErrorResponse) {
  let stored: Requirements = {
    programs: makeDefaultPrograms(),
    file_version: 1,
    modified_time: null,
    modified_by_email: null,
  }
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/managed_operators': () => [
      makeOperator('swift', 'Swift', 'aaaaaaaa-0000-4000-8000-00000000000a'),
      makeOperator('lark', 'Lark', null),
    ],
    [`GET ${address}`]: () => stored,
    [`POST ${address}`]: ({ body }) => {
      if (errorResponse) return errorResponse
      stored = {
        ...stored,
        programs: (body as Requirements).programs,
        file_version: 2,
        modified_time: '2026-11-02T12:00:00.000Z',
        modified_by_email: 'ada@city.example',
      }
      return stored
    },
  })
  await renderApp(screens, '/admin/regions/port-meridian/requirements')
  await screen.findByRole('heading', { level: 1, name: 'Requirements of Port Meridian' })
  await screen.findByText('Trips and vehicles (MDS Provider)')
  return { updates: () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body) }
}
const save = () => userEvent.click(screen.getByText('Save'))

it('sets what operators must provide, field by field, and confirms that it is saved', async () => {
  const { updates } = await renderScreen()
  expect(
    screen.getByText('Nothing is set yet. The feed only tells operators which feeds the city serves.'),
  ).toBeInTheDocument()
  expect(screen.getByText('Save').closest('button')).toBeDisabled()
  // Operators without a provider id cannot be named in the data.
  expect(screen.getByText(/cannot name: Lark\./)).toBeInTheDocument()
  await userEvent.click(screen.getByLabelText('MDS 2.0'))
  expect(screen.getByText('Nothing is selected, so it is not required.')).toBeInTheDocument()
  await userEvent.click(screen.getByLabelText('trips'))
  await userEvent.selectOptions(screen.getByLabelText('parking_category of trips'), 'Required')
  await userEvent.selectOptions(screen.getByLabelText('distance of trips'), 'Not allowed')
  expect(within(screen.getByLabelText('distance of trips')).queryByText('Required')).not.toBeInTheDocument()
  expect(screen.getByText(/1 required, 1 not allowed/)).toBeInTheDocument()
  await save()
  expect(await screen.findByText('Saved. The feed is updated within a minute.')).toBeInTheDocument()
  expect(updates()).toEqual([
    {
      if_file_version: 1,
      programs: [
        {
          ...makeDefaultPrograms()[0],
          required: [
            {
              spec: 'MDS',
              version: '2.0',
              endpoints: [
                { endpoint: 'trips', required_fields: ['parking_category'], disallowed_fields: ['distance'] },
              ],
            },
          ],
        },
      ],
    },
  ])
  expect(await screen.findByText(/^Version 2 of the file, set by ada@city\.example/)).toBeInTheDocument()
})

it('makes no request while an address is invalid, and discards changes', async () => {
  const { updates } = await renderScreen()
  await userEvent.type(screen.getByLabelText('Permit or rules'), 'permit.pdf')
  await save()
  expect(screen.getByText('Please resolve errors to save.')).toBeInTheDocument()
  expect(screen.getByLabelText('Permit or rules')).toHaveAccessibleDescription(
    expect.stringContaining('An address is written https://'),
  )
  expect(updates()).toEqual([])
  await userEvent.click(screen.getByText('Undo'))
  expect(screen.getByLabelText('Permit or rules')).toHaveValue('')
})

it('adds and removes programs for some operators', async () => {
  const { updates } = await renderScreen()
  await userEvent.click(screen.getByText('Add a program'))
  const second = screen.getByRole('region', { name: 'Program 2' })
  await userEvent.click(
    within(within(second).getByRole('radiogroup', { name: 'Operators' })).getByLabelText(
      'Only these operators',
    ),
  )
  await userEvent.click(within(second).getByLabelText('Swift'))
  await userEvent.click(screen.getByLabelText('Remove program 1'))
  await save()
  await screen.findByText('Saved. The feed is updated within a minute.')
  expect(updates()).toMatchObject([{ programs: [{ operators: ['swift'] }] }])
})

it('saving does not overwrite what another user saved, and offers to load it', async () => {
  const theirs = {
    programs: [{ ...makeDefaultPrograms()[0], description: 'Theirs' }],
    file_version: 5,
    modified_time: '2026-11-02T12:00:00.000Z',
    modified_by_email: 'bo@city.example',
  }
  const errorResponse = new ErrorResponse(
    409,
    'The requirements were changed by bo@city.example, after you began. Nothing was saved.',
    'conflict',
    { current: theirs },
  )
  await renderScreen(errorResponse)
  await userEvent.type(screen.getByLabelText('Description'), 'Mine')
  await save()
  expect(await screen.findByText(/changed by bo@city\.example/)).toBeInTheDocument()
  expect(screen.getByLabelText('Description')).toHaveValue('Mine')
  await userEvent.click(screen.getByText('Discard my changes and load the saved version'))
  expect(screen.getByLabelText('Description')).toHaveValue('Theirs')
})
