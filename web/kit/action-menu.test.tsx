import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { expect, it, vi } from 'vitest'
import { RowMenu } from './action-menu.tsx'
import { renderPart } from './test-part.tsx'

it('supports the keyboard, and Escape returns the focus to its button', async () => {
  const [edit, remove] = [vi.fn<() => void>(), vi.fn<() => void>()]
  await renderPart(
    <RowMenu
      label="Actions for Ada"
      actions={[
        { key: 'edit', label: 'Edit', icon: IconPencil, onSelect: edit },
        { key: 'open', label: 'Open', icon: IconPencil, href: '/open' },
        { key: 'remove', label: 'Remove', icon: IconTrash, isDanger: true, onSelect: remove },
      ]}
    />,
  )
  const button = screen.getByRole('button', { name: 'Actions for Ada' })
  expect(button).toHaveAttribute('aria-haspopup', 'menu')
  button.focus()
  await userEvent.keyboard('{Enter}')
  const items = await screen.findAllByRole('menuitem', { hidden: true })
  expect(items.map((item) => item.textContent)).toEqual(['Edit', 'Open', 'Remove'])
  expect(screen.getByRole('menu', { hidden: true, name: 'Actions for Ada' })).toBeInTheDocument()
  await waitFor(() => expect(items[0]).toHaveFocus())
  await userEvent.keyboard('{End}')
  expect(items[2]).toHaveFocus()
  await userEvent.keyboard('{Home}{ArrowDown}')
  expect(items[1]).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
  expect(button).toHaveAttribute('aria-expanded', 'false')
  // Tab closes the menu too.
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.getAllByRole('menuitem', { hidden: true })[0]).toHaveFocus())
  await userEvent.keyboard('{Tab}')
  await waitFor(() => expect(button).toHaveFocus())
  expect(button).toHaveAttribute('aria-expanded', 'false')
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByText('Remove'))
  await waitFor(() => expect(remove).toHaveBeenCalledOnce())
  expect(edit).not.toHaveBeenCalled()
})
