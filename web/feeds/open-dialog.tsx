import { useTranslation } from 'react-i18next'
import type { Feed } from '#contract/feeds.ts'
import { type ManagedOperator, deleteOperator, listManagedOperators } from '#contract/managed-operators.ts'
import { listOperators } from '#contract/operators.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { BackfillDialog } from './backfill-dialog.tsx'
import { FeedActionDialog } from './feed-action-dialog.tsx'
import { FeedDialog } from './feed-dialog.tsx'
import { MetricsDialog } from './metrics-dialog.tsx'
import { OperatorDialog } from './operator-dialog.tsx'
import { PullWindowsDialog } from './pull-windows-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { TokensDialog } from './tokens-dialog.tsx'

/** Asks to confirm that an operator is removed. */
function RemoveOperatorDialog({ operator, onClose }: { operator: ManagedOperator; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useEndpointMutation(deleteOperator, [listManagedOperators, listOperators])
  return (
    <ConfirmDialog
      title={t('feeds:operator.removeOf', { name: operator.name })}
      action={t('feeds:act.remove')}
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { slug: operator.slug } },
          {
            onSuccess: () => {
              showToast(t('kit:did.deleted', { name: operator.name }))
              onClose()
            },
          },
        )
      }
    >
      {t('feeds:operator.removeText')}
    </ConfirmDialog>
  )
}

/** Which dialog is open over the page, and for which operator or feed; null to add an operator, or to add a feed of the city. */
export type OpenedDialog =
  | { kind: 'metrics' }
  | { kind: 'operator'; operator: ManagedOperator | null }
  | { kind: 'removeOperator'; operator: ManagedOperator }
  | { kind: 'addFeed'; operator: ManagedOperator | null }
  | { kind: 'change' | 'test' | 'backFill' | 'pullWindows' | 'tokens' | 'switch' | 'remove'; feed: Feed }

interface Props {
  open: OpenedDialog
  regionId: string
  timezone: string
  operators: readonly ManagedOperator[]
  onClose: () => void
}

/** The open dialog of the operators screen. */
export function OpenDialog({ open, regionId, timezone, operators, onClose }: Props) {
  switch (open.kind) {
    case 'metrics':
      return <MetricsDialog regionId={regionId} timezone={timezone} operators={operators} onClose={onClose} />
    case 'operator':
      return (
        <OperatorDialog
          operator={open.operator}
          usedColors={operators.map(({ colorHex }) => colorHex)}
          onClose={onClose}
        />
      )
    case 'removeOperator':
      return <RemoveOperatorDialog operator={open.operator} onClose={onClose} />
    case 'addFeed':
      return <FeedDialog regionId={regionId} operator={open.operator} feed={null} onClose={onClose} />
    case 'change':
      return (
        <FeedDialog
          regionId={regionId}
          operator={operators.find(({ slug }) => slug === open.feed.operator) ?? null}
          feed={open.feed}
          onClose={onClose}
        />
      )
    case 'test':
      return <TestDialog feed={open.feed} onClose={onClose} />
    case 'backFill':
      return <BackfillDialog feed={open.feed} timezone={timezone} onClose={onClose} />
    case 'pullWindows':
      return <PullWindowsDialog feed={open.feed} timezone={timezone} onClose={onClose} />
    case 'tokens':
      return <TokensDialog feed={open.feed} timezone={timezone} onClose={onClose} />
    case 'switch':
    case 'remove':
      return <FeedActionDialog action={open.kind} feed={open.feed} onClose={onClose} />
  }
}
