import { Notification } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
}

/** How long a toast is shown; the time starts again when another one appears. */
const shownMs = 6000
/** Older toasts give way. */
const maxToasts = 3

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function write(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Confirms what was done: a download, a publication, a deletion. What failed is said where it was done. */
export const showToast = (text: string): void =>
  write([...toasts.filter((toast) => toast.text !== text), { id: ++lastId, text }].slice(-maxToasts))

export const clearToasts = (): void => write([])

const closeToast = (id: number): void => write(toasts.filter((toast) => toast.id !== id))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The toasts of the app, once per page. The live region exists before its content, so that it is read. */
export function Toasts() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  useEffect(() => {
    if (shown.length === 0) return
    const timer = setTimeout(clearToasts, shownMs)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div className={styles['toasts']} aria-live="polite" aria-relevant="additions">
      {shown.map(({ id, text }) => (
        <Notification
          key={id}
          // The list is the live region.
          role="presentation"
          withBorder
          icon={<IconCheck size={18} aria-hidden="true" />}
          closeButtonProps={{ 'aria-label': t('kit:close') }}
          onClose={() => closeToast(id)}
        >
          {text}
        </Notification>
      ))}
    </div>
  )
}
