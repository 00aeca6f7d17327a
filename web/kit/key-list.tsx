import { Kbd } from '@mantine/core'
import styles from './key-list.module.css'

/** Keys and what they do. */
export function KeyList({ keys }: { keys: readonly (readonly [keys: readonly string[], text: string])[] }) {
  return (
    <dl className={styles['keys']}>
      {keys.map(([each, text]) => (
        <div key={text}>
          <dt>
            {each.map((key) => (
              <Kbd key={key} mr={4}>
                {key}
              </Kbd>
            ))}
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
