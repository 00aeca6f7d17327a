import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getRoutePublishing, setRoutePublishing } from '#contract/routes.ts'
import { useAct } from '#web/data/act.ts'
import { useAnswer } from '#web/data/query.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { useMe } from '#web/shell/me.tsx'

/** Switches the public map on and off, for those who may; others see where it is, if it is on. */
export function PublishField({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const asked = { params: { region_id: regionId } }
  const { data } = useAnswer(getRoutePublishing, asked)
  const change = useAct(setRoutePublishing, [getRoutePublishing])
  if (!data || (!data.published && !can('publish_to_public_map'))) return null
  return (
    <div>
      {can('publish_to_public_map') ? (
        <SettingSwitch
          label={t('routes:publish.label')}
          description={t('routes:publish.text')}
          checked={data.published}
          disabled={change.isPending}
          error={change.isError ? t('routes:publish.failed') : null}
          onChange={(event) => change.mutate({ ...asked, body: { published: event.currentTarget.checked } })}
        />
      ) : null}
      {data.published ? (
        <Anchor href={`/${regionId}/public/routes`} target="_blank" size="sm">
          {t('routes:publish.open')}
        </Anchor>
      ) : null}
    </div>
  )
}
