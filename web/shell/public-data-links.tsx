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
import { endpointUrl } from '#web/data/endpoint-url.ts'

/** Links to the published policies of a region as data for other programs. */
export function PublicDataLinks({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const params = { region_id: regionId }
  const links = [
    ['policies', endpointUrl(listMdsPolicies, { params, query: {} })],
    ['geographies', endpointUrl(listMdsGeographies, { params })],
    ['requirements', endpointUrl(getMdsRequirements, { params })],
    ['policiesFile', endpointUrl(listMdsPoliciesFile, { params, query: {} })],
    ['geographiesFile', endpointUrl(listMdsGeographiesFile, { params })],
    ['plain', endpointUrl(getPublicPolicies, { params })],
  ] as const
  return (
    <>
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
    </>
  )
}
