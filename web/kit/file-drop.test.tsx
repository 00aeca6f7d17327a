import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPart } from './test-part.tsx'
import { FileDrop } from './file-drop.tsx'

const files = [new File(['a'], 'a.csv'), new File(['b'], 'b.csv')]

async function drop(part: { isMultiple?: boolean; isDisabled?: boolean }) {
  const onFiles = vi.fn<(files: File[]) => void>()
  await renderPart(<FileDrop title="Drop here" button="Choose" accept=".csv" onFiles={onFiles} {...part} />)
  return onFiles
}

it('accepts chosen files, including the same ones again', async () => {
  const onFiles = await drop({ isMultiple: true })
  const input = screen.getByLabelText('Choose', { selector: 'input' })
  await userEvent.upload(input, files)
  await userEvent.upload(input, files)
  expect(onFiles).toHaveBeenCalledTimes(2)
  expect(onFiles).toHaveBeenLastCalledWith(files)
})

it('accepts dropped files: only one unless multiple, none while disabled', async () => {
  const onSingleFile = await drop({})
  fireEvent.drop(screen.getByRole('group', { name: 'Drop here' }), { dataTransfer: { files } })
  expect(onSingleFile).toHaveBeenCalledWith([files[0]])
  const onDisabled = await drop({ isDisabled: true })
  fireEvent.drop(screen.getAllByRole('group', { name: 'Drop here' })[1]!, { dataTransfer: { files } })
  expect(onDisabled).not.toHaveBeenCalled()
})
