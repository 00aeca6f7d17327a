import { useState } from 'react'
import { useChosenRegion } from './region.tsx'
import styles from './top-bar.module.css'

/** The region's own logo, where it has one that can be loaded. */
export function RegionLogo() {
  const { answer } = useChosenRegion()
  const [broken, setBroken] = useState<string | null>(null)
  const region = answer.data
  const file = region?.logoFilename
  if (!file || file === broken) return null
  return (
    <img
      className={styles['logo']}
      src={`/logos/${encodeURIComponent(file)}`}
      alt={region.text}
      onError={() => setBroken(file)}
    />
  )
}
