import { createContext, type ComponentType, type ReactNode } from 'react'
import type { Preloaded } from './screen-entry.ts'

/** What rooms put into the frame, which knows none of them. Filled in screens.tsx, handed over in main.tsx. */
export interface ShellSlots {
  /** Opened by Profile Settings; without it there is no such line. */
  ProfileDialog?: ComponentType<{ onClose: () => void }>
  /** Stands between who is signed in and everything else: second factor, terms of service. It knows useMe(). */
  Gate?: Preloaded<{ children: ReactNode }>
}

export const ShellSlotsContext = createContext<ShellSlots>({})
