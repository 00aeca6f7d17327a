import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'

interface Props {
  isChanged: boolean
  /** The draft is given up. */
  onDiscard: () => void
}

const layerOf = (search: unknown): unknown => (search as Record<string, unknown>)['layer']
const isEditingIn = (search: unknown): boolean => (search as Record<string, unknown>)['edit'] === true

/** Confirms before unsaved changes are lost; the browser itself does so before the page is closed or reloaded. */
export function LeaveEditing({ isChanged, onDiscard }: Props) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      (current.pathname !== next.pathname ||
        layerOf(current.search) !== layerOf(next.search) ||
        !isEditingIn(next.search)),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = () => {
    onDiscard()
    blocker.proceed()
  }
  return (
    <ConfirmDialog
      title={t('geography:leave.title')}
      action={t('geography:leave.action')}
      isPending={false}
      error={null}
      onConfirm={leave}
      onClose={blocker.reset}
    >
      {t('geography:leave.text')}
    </ConfirmDialog>
  )
}
