import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OrganizationSettings } from '#contract/settings.ts'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { OrganizationScreen } from './organization-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/organization', 'shell:pages.organization', OrganizationScreen, 'is_admin'),
  makeScreenEntry('/admin/roles', 'shell:pages.roles', () => <h1>All roles</h1>, 'is_admin'),
]
const address = '/v2/organizations/8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
afterEach(() => vi.unstubAllGlobals())

/** The page with a server that stores what it receives, unless it responds with `refusal`. */
async function renderForm(errorResponse?: ErrorResponse) {
  let stored = {
    id: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e',
    name: 'Alder',
    type: 'city',
    settings: OrganizationSettings.parse({}),
  }
  const server = fakeServer({
    ...signedIn(),
    [`GET ${address}`]: () => stored,
    [`PATCH ${address}`]: ({ body }) => {
      if (errorResponse) return errorResponse
      const { settings, ...fields } = body as { settings?: Partial<OrganizationSettings> }
      stored = { ...stored, ...fields, settings: { ...stored.settings, ...settings } }
      return stored
    },
  })
  const router = await renderApp(screens, '/admin/organization')
  await screen.findByLabelText('Curb Manager')
  return {
    ...server,
    router,
    changes: () => server.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body),
  }
}
const press = (label: string) => userEvent.click(screen.getByLabelText(label))
const save = () => userEvent.click(screen.getByText('Save'))

describe('the organization', () => {
  it('sends only what changed, and shows what was saved', async () => {
    const { changes } = await renderForm()
    expect(screen.getByText('Save').closest('button')).toBeDisabled()
    await press('Curb Manager')
    await press('Second factor required')
    expect(screen.getByText('2 unsaved changes')).toBeInTheDocument()
    fireEvent.change(screen.getByLabelText(/^Subscription ends/), { target: { value: '2027-03-31' } })
    await userEvent.click(
      within(screen.getByRole('radiogroup', { name: 'Maps' })).getByLabelText('Only these maps'),
    )
    await press('Vehicle Distribution')
    await save()
    expect(await screen.findByText(/^Saved\./)).toHaveTextContent(
      'Saved. Curb Manager: off; Maps: Live, 311, Operator Drop-offs, Parking, Routes, Trips, Policies Library; Second factor required: on; Subscription ends: 2027-03-31',
    )
    expect(changes()).toEqual([
      {
        settings: {
          curbManager: false,
          mfaRequired: true,
          subscriptionEndDate: '2027-03-31',
          maps: ['live', '311', 'operator-drop-offs', 'parking', 'routes', 'trips', 'policy'],
        },
      },
    ])
    expect(screen.getByText('Save').closest('button')).toBeDisabled()
  })

  it('shows at its field what the server refused, and keeps the typed values', async () => {
    await renderForm(
      new ErrorResponse(
        422,
        'body.settings.subscriptionEndDate: The subscription ends before it starts.',
        'validation_error',
      ),
    )
    fireEvent.change(screen.getByLabelText(/^Subscription ends/), { target: { value: '2020-01-01' } })
    await save()
    expect(await screen.findByRole('alert')).toHaveTextContent('The organization could not be saved')
    expect(screen.getByLabelText(/^Subscription ends/)).toHaveAccessibleDescription(
      expect.stringContaining('The subscription ends before it starts.'),
    )
    expect(screen.getByLabelText(/^Subscription ends/)).toHaveValue('2020-01-01')
    expect(screen.getByText('1 unsaved change')).toBeInTheDocument()
    await userEvent.click(screen.getByText('Undo'))
    expect(screen.getByLabelText(/^Subscription ends/)).toHaveValue('')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('unsaved changes', () => {
  it('unsaved changes require confirmation before the page is left', async () => {
    const { router } = await renderForm()
    await press('Home')
    await userEvent.click(screen.getByRole('link', { name: 'Roles' }))
    expect(await screen.findByText('Leave without saving?')).toBeInTheDocument()
    await userEvent.click(screen.getByText('Cancel'))
    expect(router.state.location.pathname).toBe('/admin/organization')
    expect(screen.getByLabelText('Home')).not.toBeChecked()
    await userEvent.click(screen.getByRole('link', { name: 'Roles' }))
    await userEvent.click(await screen.findByText('Leave'))
    expect(await screen.findByText('All roles')).toBeInTheDocument()
  })

  it('unsaved changes are none without a change', async () => {
    const { router } = await renderForm()
    await press('Home')
    await press('Home')
    await userEvent.click(screen.getByRole('link', { name: 'Roles' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/roles'))
  })
})
