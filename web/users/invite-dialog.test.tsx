import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { MeProvider } from '#web/shell/me.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { testOperator, testRole, testUser } from './test-users.ts'

afterEach(() => vi.unstubAllGlobals())

async function renderDialog(reply: () => unknown, regionIds: string[] | null = null) {
  const onClose = vi.fn<() => void>()
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/users/me': () => ({ ...signedIn()['GET /v2/users/me'](), regionIds }),
    'GET /v2/user_roles': () => [testRole('r1', 'Policy desk', ['edit_policy', 'publish_to_public_map'])],
    'GET /v2/managed_operators': () => [testOperator('lark', 'Lark Rides')],
    'POST /v2/users': reply,
  })
  const Part = () => (
    <QueryClientProvider client={createQueryClient()}>
      <MeProvider>
        <InviteDialog onClose={onClose} />
      </MeProvider>
    </QueryClientProvider>
  )
  await renderPart(
    <RouterProvider
      router={createRouter({
        routeTree: createRootRoute({ component: Part }),
        history: createMemoryHistory(),
      })}
    />,
  )
  await screen.findByLabelText('Policy desk')
  return {
    onClose,
    posted: () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
  }
}
const fill = async (label: RegExp, text: string) => {
  await userEvent.click(screen.getByLabelText(label))
  await userEvent.paste(text)
}

it('invites with roles and regions, and shows the link to pass on', async () => {
  const { onClose, posted } = await renderDialog(() => ({
    user: testUser('new'),
    onboarding_link: 'http://x/onboarding/1',
    is_mailed: false,
  }))
  expect(screen.getByText('Edit policies, Publish to the public map')).toBeInTheDocument()
  await fill(/^E-mail/, ' new@city.example ')
  await fill(/^Name/, 'New')
  await userEvent.click(screen.getByLabelText('Policy desk'))
  await userEvent.click(screen.getByLabelText('Only these regions'))
  expect(screen.getByText('The user has no access to any region.')).toBeInTheDocument()
  await userEvent.click(await screen.findByLabelText('Ashford'))
  await userEvent.click(screen.getByText('Invite'))
  expect(await screen.findByLabelText('Invitation link')).toHaveValue('http://x/onboarding/1')
  expect(
    screen.getByText(/^This server does not send e-mail\. Copy the link and send it to new@city\.example/),
  ).toBeInTheDocument()
  expect(posted()).toEqual([
    { email: 'new@city.example', name: 'New', role_ids: ['r1'], region_ids: ['ashford'], operators: null },
  ])
  const write = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: write } })
  await userEvent.click(screen.getByLabelText('Copy: Invitation link'))
  expect(write).toHaveBeenCalledWith('http://x/onboarding/1')
  expect(await screen.findByText('Copied')).toBeInTheDocument()
  await userEvent.click(screen.getByText('Close', { selector: 'button *' }))
  expect(onClose).toHaveBeenCalledOnce()
})

it('shows why it was refused, and keeps the typed values', async () => {
  const { posted } = await renderDialog(() => new ErrorResponse(409, 'The e-mail new@city.example is taken.'))
  await fill(/^E-mail/, 'new@city.example')
  await fill(/^Name/, 'New')
  await userEvent.click(screen.getByText('Invite'))
  expect(await screen.findByRole('alert', { hidden: true })).toHaveTextContent(
    'The user could not be invitedThe e-mail new@city.example is taken.',
  )
  expect(screen.getByLabelText(/^E-mail/)).toHaveValue('new@city.example')
  expect(posted()).toHaveLength(1)
})

it('invites a user of an operator, without roles, and explains what that means', async () => {
  const { posted } = await renderDialog(() => ({
    user: testUser('new'),
    onboarding_link: 'http://x/onboarding/1',
    is_mailed: true,
  }))
  await fill(/^E-mail/, 'new@lark.example')
  await fill(/^Name/, 'New')
  await userEvent.click(screen.getByLabelText('Policy desk'))
  const field = screen.getByLabelText('Operator', { selector: 'input' })
  expect(field).toHaveAccessibleDescription(expect.stringContaining("see only this operator's numbers"))
  await userEvent.click(field)
  await userEvent.click(await screen.findByText('Lark Rides', { selector: '[role="option"] *' }))
  expect(screen.queryByLabelText('Policy desk')).not.toBeInTheDocument()
  await userEvent.click(screen.getByText('Invite'))
  await screen.findByLabelText('Invitation link')
  expect(screen.getByText(/^The link was sent by e-mail to new@city\.example\. /)).toBeInTheDocument()
  expect(posted()).toEqual([
    { email: 'new@lark.example', name: 'New', role_ids: [], region_ids: null, operators: ['lark'] },
  ])
})

it('offers administrators of some regions these regions only, not all', async () => {
  const { posted } = await renderDialog(
    () => ({ user: testUser('new'), onboarding_link: 'http://x/onboarding/1', is_mailed: true }),
    ['ashford'],
  )
  expect(screen.queryByLabelText('All regions, including future ones')).not.toBeInTheDocument()
  await fill(/^E-mail/, 'new@city.example')
  await fill(/^Name/, 'New')
  await userEvent.click(screen.getByText('Invite'))
  await vi.waitFor(() => expect(posted()).toMatchObject([{ region_ids: ['ashford'] }]))
})
