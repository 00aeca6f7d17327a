import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { getMdsGeographies, getMdsPolicies } from '#contract/policies.ts'
import { useAct } from '#web/data/act.ts'
import { ActMenu } from '#web/kit/act-menu.tsx'
import { downloadFile } from '#web/kit/download-file.ts'
import { PolicyNotice } from './policy-notice.tsx'

/** The public MDS data of a region as files. */
export function MdsDownload({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const policies = useAct(getMdsPolicies)
  const geographies = useAct(getMdsGeographies)
  const failed = policies.error ?? geographies.error
  const given = { body: { region_id: regionId } }
  const save =
    (name: string) =>
    (answer: unknown): void =>
      downloadFile(`${name}-${regionId}.json`, JSON.stringify(answer, null, 2), 'application/json')
  return (
    <>
      <ActMenu
        width={220}
        target={
          <Button
            variant="default"
            leftSection={<IconDownload size={18} />}
            loading={policies.isPending || geographies.isPending}
          >
            {t('policies:mds.open')}
          </Button>
        }
        acts={[
          {
            key: 'policies',
            label: t('policies:mds.policies'),
            onAct: () => policies.mutate(given, { onSuccess: save('mds-policies') }),
          },
          {
            key: 'geographies',
            label: t('policies:mds.geographies'),
            onAct: () => geographies.mutate(given, { onSuccess: save('mds-geographies') }),
          },
        ]}
      />
      {failed ? (
        <PolicyNotice
          notice="mds"
          error={failed}
          onClose={() => {
            policies.reset()
            geographies.reset()
          }}
        />
      ) : null}
    </>
  )
}
