import type { Feed } from '#contract/feeds.ts'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import { BackFillDialog } from './backfill-dialog.tsx'
import { FeedAsk } from './feed-ask.tsx'
import { FeedDialog } from './feed-dialog.tsx'
import { OperatorAsk } from './operator-ask.tsx'
import { OperatorDialog } from './operator-dialog.tsx'
import { PiecesDialog } from './pieces-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { TokensDialog } from './tokens-dialog.tsx'

/** What is open over the page. */
export type Open =
  | { kind: 'operator'; operator: ManagedOperator | null }
  | { kind: 'removeOperator'; operator: ManagedOperator }
  | { kind: 'addFeed'; operator: ManagedOperator | null }
  | { kind: 'change' | 'test' | 'backFill' | 'pieces' | 'tokens' | 'switch' | 'remove'; feed: Feed }

interface Props {
  open: Open
  regionId: string
  zone: string
  operators: readonly ManagedOperator[]
  onClose: () => void
}

export function OpenDialog({ open, regionId, zone, operators, onClose }: Props) {
  switch (open.kind) {
    case 'operator':
      return (
        <OperatorDialog
          operator={open.operator}
          taken={operators.map(({ colorHex }) => colorHex)}
          onClose={onClose}
        />
      )
    case 'removeOperator':
      return <OperatorAsk operator={open.operator} onClose={onClose} />
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
      return <BackFillDialog feed={open.feed} onClose={onClose} />
    case 'pieces':
      return <PiecesDialog feed={open.feed} onClose={onClose} />
    case 'tokens':
      return <TokensDialog feed={open.feed} zone={zone} onClose={onClose} />
    case 'switch':
    case 'remove':
      return <FeedAsk act={open.kind} feed={open.feed} onClose={onClose} />
  }
}
