import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { theme } from './theme.ts'

/** For tests: renders a component with the texts and theme of the app. */
export async function renderPart(part: ReactNode) {
  await startI18n()
  await loadRoomTexts()
  return render(
    <MantineProvider theme={theme} env="test" withCssVariables={false}>
      {part}
    </MantineProvider>,
  )
}
