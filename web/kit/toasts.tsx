import { Notification } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
}

/** All toasts disappear this long after one was last added or closed. */
const visibleMs = 6000
/** Maximum number of visible toasts; older ones disappear. */
const maxToasts = 3

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Confirms an action, such as a download, publication or deletion. Failures are shown where the action is. */
export const showToast = (text: string): void =>
  setToasts([...toasts.filter((toast) => toast.text !== text), { id: ++lastId, text }].slice(-maxToasts))

export const clearToasts = (): void => setToasts([])

const closeToast = (id: number): void => setToasts(toasts.filter((toast) => toast.id !== id))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The toasts of the app. The live region always exists, so that screen readers announce its content. */
export function Toasts() {
  const { t } = useTranslation()
  const shownToasts = useSyncExternalStore(subscribe, () => toasts)
  useEffect(() => {
    if (shownToasts.length === 0) return
    const timer = setTimeout(clearToasts, visibleMs)
    return () => clearTimeout(timer)
  }, [shownToasts])
  return (
    <div className={styles['toasts']} aria-live="polite" aria-relevant="additions">
      {shownToasts.map(({ id, text }) => (
        <Notification
          key={id}
          // Not an alert: the list is the live region.
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
