import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { RegulationDetail } from '#contract/curb-regulations.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useRegion } from '#web/shell/region.tsx'
import { RegulationLoader } from './regulation-loader.tsx'
import { toCopy, toDraft, newDraft } from './regulation-draft.ts'
import { RegulationEditor } from './regulation-editor.tsx'

/** Creates a regulation, empty or as a copy of the regulation `?copy=`. */
export function RegulationCreateScreen() {
  const { copy } = useSearch({ strict: false }) as { copy?: string }
  const { regionId } = useRegion()
  if (copy !== undefined)
    return (
      <RegulationLoader key={copy} id={String(copy)} isForEditor>
        {(regulation) => <RegulationCopyEditor regulation={regulation} />}
      </RegulationLoader>
    )
  return <NewRegulationEditor key={regionId} />
}

function NewRegulationEditor() {
  const at = useOpenedAt()
  const [start] = useState(newDraft)
  return <RegulationEditor mode="create" start={start} saved={null} at={at} />
}

function RegulationCopyEditor({ regulation }: { regulation: RegulationDetail }) {
  const at = useOpenedAt()
  const [start] = useState(() => toCopy(regulation))
  return <RegulationEditor mode="create" start={start} saved={null} at={at} />
}

/** Edits a regulation. */
export function RegulationEditScreen() {
  const { regulationId = '' } = useParams({ strict: false }) as { regulationId?: string }
  return (
    <RegulationLoader key={regulationId} id={regulationId} isForEditor>
      {(regulation) => <StoredRegulationEditor regulation={regulation} />}
    </RegulationLoader>
  )
}

function StoredRegulationEditor({ regulation }: { regulation: RegulationDetail }) {
  const at = useOpenedAt()
  // Later responses do not change the draft.
  const [saved] = useState(regulation)
  const [start] = useState(() => toDraft(regulation))
  return <RegulationEditor mode="edit" start={start} saved={saved} at={at} />
}
