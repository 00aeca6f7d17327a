import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { SettingSwitch } from './setting-switch.tsx'
import { renderPart } from './test-part.tsx'

it('a switch has its label as name and its sentence as description', async () => {
  const onChange = vi.fn<() => void>()
  await renderPart(
    <SettingSwitch label="Export" description="Shows the Export page." checked={false} onChange={onChange} />,
  )
  const part = screen.getByRole('switch', { name: 'Export' })
  expect(part).toHaveAccessibleDescription('Shows the Export page.')
  await userEvent.click(part)
  expect(onChange).toHaveBeenCalledOnce()
})
