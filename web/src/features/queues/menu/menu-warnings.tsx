import type { MenuFinding } from '@recado/contract/menu/menu-check'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './menu.module.css'
import { menuTexts } from './menu-texts.ts'
import { findNode, getOptionNumber, getPath, type MenuTree } from './menu-tree.ts'

type Props = { findings: MenuFinding[]; tree: MenuTree; onShowOption: (key: string) => void }

/** Problems a customer would run into, shown while editing. */
export function MenuWarnings({ findings, tree, onShowOption }: Props) {
  const words = useTexts(menuTexts)
  const name = useOptionName(tree)
  return (
    <div role="status" className={classes.told}>
      {findings.length > 0 && (
        <section className={classes.findings} aria-label={words.found(findings.length)}>
          <h3>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
            {words.found(findings.length)}
          </h3>
          <ul>
            {findings.map(({ kind, key }) => (
              <li key={`${kind} ${key}`}>
                <span>{words.findings[kind](key === null ? '' : name(key))}</span>
                {key !== null && (
                  <button type="button" aria-label={words.seeNamed(name(key))} onClick={() => onShowOption(key)}>
                    {words.see}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The name of an option, for example “Garantía”, or “Opción 1.2” for an option without a title. */
function useOptionName(tree: MenuTree): (key: string) => string {
  const words = useTexts(menuTexts)
  return (key) => {
    const title = findNode(tree, key)?.title.trim()
    const path = getPath(tree, key).map((node) => getOptionNumber(tree, node))
    return title ? `“${title}”` : words.numbered(path.join('.'))
  }
}
