import { Button, Popover, UnstyledButton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getMdsGeographies, getMdsPolicies } from '#contract/policies.ts'
import { useAct } from '#web/data/act.ts'
import { downloadFile } from '#web/kit/download-file.ts'
import { PolicyNotice } from './policy-notice.tsx'
import styles from './policies.module.css'

/** The public MDS data of a region as files. */
export function MdsDownload({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const policies = useAct(getMdsPolicies)
  const geographies = useAct(getMdsGeographies)
  const failed = policies.error ?? geographies.error
  const given = { body: { region_id: regionId } }
  const keep = (name: string) => (answer: unknown): void => downloadFile(`${name}-${regionId}.json`, JSON.stringify(answer, null, 2), 'application/json')
  const fetchOne = (name: 'policies' | 'geographies'): void => {
    setIsOpen(false)
    if (name === 'policies') policies.mutate(given, { onSuccess: keep('mds-policies') })
    else geographies.mutate(given, { onSuccess: keep('mds-geographies') })
  }
  const label = t('policies:mds.open')
  return (
    <>
      <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={220} trapFocus returnFocus shadow="md">
        <Popover.Target>
          <Button variant="default" leftSection={<IconDownload size={18} />} loading={policies.isPending || geographies.isPending} onClick={() => setIsOpen(!isOpen)}>{label}</Button>
        </Popover.Target>
        <Popover.Dropdown p={4} aria-label={label} aria-labelledby={undefined}>
          {(['policies', 'geographies'] as const).map((name) => <UnstyledButton key={name} className={styles['act'] ?? ''} onClick={() => fetchOne(name)}>{t(`policies:mds.${name}`)}</UnstyledButton>)}
        </Popover.Dropdown>
      </Popover>
      {failed ? <PolicyNotice notice="mds" error={failed} onClose={() => { policies.reset(); geographies.reset() }} /> : null}
    </>
  )
}
