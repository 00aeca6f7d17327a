import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  getMdsRequirements,
  listMdsGeographies,
  listMdsGeographiesFile,
  listMdsPolicies,
  listMdsPoliciesFile,
} from '#contract/mds-policy-feed.ts'
import { getPublicPolicies } from '#contract/public-policies.ts'
import { addressOf } from '#web/data/address-of.ts'
import styles from './public.module.css'

/** Where machines read the same. */
export function PublicDataLinks({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const params = { region_id: regionId }
  const links = [
    ['policies', addressOf(listMdsPolicies, { params, query: {} })],
    ['geographies', addressOf(listMdsGeographies, { params })],
    ['requirements', addressOf(getMdsRequirements, { params })],
    ['policiesFile', addressOf(listMdsPoliciesFile, { params, query: {} })],
    ['geographiesFile', addressOf(listMdsGeographiesFile, { params })],
    ['plain', addressOf(getPublicPolicies, { params })],
  ] as const
  return (
    <details className={styles['data']}>
      <summary>{t('policies:public.data.title')}</summary>
      <ul>
        {links.map(([name, address]) => (
          <li key={name}>
            <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
              {t(`policies:public.data.${name}`)}
            </Anchor>
          </li>
        ))}
      </ul>
      <p>
        {t('policies:public.data.earlier')} <code>Accept: application/vnd.mds+json;version=1.2</code>
      </p>
    </details>
  )
}
