import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { getPolicyByConstant, listPolicies, listPolicyRevisions } from '#contract/policies.ts'
import {
  type FoundPolicy,
  importPolicies,
  type ImportSource,
  previewPolicyImport,
} from '#contract/policy-import.ts'
import { useAct } from '#web/data/act.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { ImportChoice } from './import-choice.tsx'
import { ImportDone } from './import-done.tsx'
import { SourceForm } from './source-form.tsx'

/** Brings policies of another agency in: where from, which of them, what came of it. */
export function ImportPolicies({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={18} />} onClick={() => setIsOpen(true)}>
        {t('policies:import.open')}
      </Button>
      {isOpen ? <ImportDialog regionId={regionId} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function ImportDialog({ regionId, onClose }: { regionId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const [source, setSource] = useState<ImportSource | null>(null)
  const look = useAct(previewPolicyImport)
  const take = useAct(importPolicies, [listPolicies, listLayers, getPolicyByConstant, listPolicyRevisions])
  const begin = (given: ImportSource): void => {
    setSource(given)
    look.mutate({ body: { region_id: regionId, source: given } })
  }
  const store = (agency: string, chosen: FoundPolicy[]): void => {
    const policy_ids = chosen.flatMap(({ policy_id: id, here }) => (here ? [] : [id]))
    const updates = chosen.flatMap(({ policy_id, here }) =>
      here ? [{ policy_id, if_modified_time: here.modified_time }] : [],
    )
    if (source && look.data)
      take.mutate({
        body: {
          region_id: regionId,
          source,
          digest: look.data.digest,
          agency_name: agency,
          policy_ids,
          updates,
        },
      })
  }
  const again = (): void => {
    look.reset()
    take.reset()
  }
  return (
    <Dialog title={t('policies:import.title')} size={720} onClose={onClose}>
      {take.data ? (
        <ImportDone answer={take.data} layer={take.variables.body.agency_name} onClose={onClose} />
      ) : look.data ? (
        <ImportChoice
          preview={look.data}
          isPending={take.isPending}
          error={take.error}
          onBack={again}
          onImport={store}
        />
      ) : (
        <SourceForm isPending={look.isPending} error={look.error} onSource={begin} onClose={onClose} />
      )}
    </Dialog>
  )
}
