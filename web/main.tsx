import './early-calls.ts'
import '@fontsource-variable/inter/index.css'
import '@mantine/core/styles.css'
import './kit/base.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from './i18n/start-i18n.ts'
import { cssVariables, theme } from './kit/theme.ts'
import { Toasts } from './kit/toasts.tsx'
import { usePrinting } from './kit/use-printing.ts'
import { redirects, screens, slots } from './screens.tsx'
import { createAppRouter } from './shell/app-router.tsx'
import { ShellSlotsContext } from './shell/screen-entry.ts'

const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('index.html has no #root')

/** Provides the theme in the user's color scheme; printed pages are always light. */
function Styled({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      {...(usePrinting() ? { forceColorScheme: 'light' } : {})}
    >
      {children}
    </MantineProvider>
  )
}

/** Not a top-level await: lazily loaded chunks import this module, and would wait for it forever. */
async function start(root: HTMLElement): Promise<void> {
  await startI18n()
  const router = createAppRouter(screens, redirects)
  // Renders only when the code of the first page is loaded; index.html shows a loading state until then.
  await router.load()
  createRoot(root).render(
    <StrictMode>
      <Styled>
        <ShellSlotsContext value={slots}>
          <RouterProvider router={router} />
          <Toasts />
        </ShellSlotsContext>
      </Styled>
    </StrictMode>,
  )
}

void start(rootElement)
