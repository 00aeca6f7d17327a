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

const place = document.getElementById('root')
if (!place) throw new Error('index.html has no #root')

/** In the scheme that the user chose; printed pages are light. */
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

/** No await of the module's own: parts that are fetched need this one, and would wait for it for ever. */
async function start(at: HTMLElement): Promise<void> {
  await startI18n()
  const router = createAppRouter(screens, redirects)
  // The first page shows as soon as its code is there: until then index.html shows that it loads.
  await router.load()
  createRoot(at).render(
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

void start(place)
