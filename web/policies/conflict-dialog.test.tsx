import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PolicyFields } from '#contract/policy.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { testFields, testTextContext, testPolicy } from './test-policy.ts'

const onSave = vi.fn<(merged: PolicyFields) => void>()
const base = testFields()
const mine = { ...base, policy_name: 'Mine', description: 'Mine alone' }
const theirs = testPolicy({
  ...base,
  policy_name: 'Theirs',
  days: [6, 7],
  modified_by_email: 'grace@city.example',
})
const show = (current: typeof theirs | null) =>
  renderPart(
    <ConflictDialog
      base={base}
      mine={mine}
      theirs={current}
      context={testTextContext()}
      timezone="UTC"
      isPending={false}
      onSave={onSave}
      onClose={() => undefined}
    />,
  )

beforeEach(() => onSave.mockClear())

it("shows who changed what, and preselects the user's value if both changed a field", async () => {
  await show(theirs)
  expect(screen.getByText(/^grace@city.example saved it Nov 20, 2026/)).toBeInTheDocument()
  const [name, days, ...more] = screen.getAllByRole('listitem', { hidden: true })
  expect(name).toHaveTextContent('Policy nameBeforeWharfTheirsTheirsYoursMine')
  expect(days).toHaveTextContent('DaysBeforeEvery dayTheirsSaturday and SundayYoursEvery day')
  expect(more).toEqual([])
  await userEvent.click(screen.getByText('Save my choice'))
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ ...mine, days: [6, 7] })
})

it('a user can take the other value field by field', async () => {
  await show(theirs)
  const [name] = screen.getAllByRole('listitem', { hidden: true })
  await userEvent.click(within(name!).getByText('Take theirs'))
  await userEvent.click(screen.getByText('Save my choice'))
  expect(onSave.mock.calls[0]?.[0]).toMatchObject({ policy_name: 'Theirs', description: 'Mine alone' })
})

it('offers to create a new policy if the other user deleted it', async () => {
  await show(null)
  await userEvent.click(screen.getByText('Save as a new policy'))
  expect(onSave).toHaveBeenCalledExactlyOnceWith(mine)
})
