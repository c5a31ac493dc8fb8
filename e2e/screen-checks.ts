import type { Page } from 'playwright-core'

/** English words of labels that are not Spanish or Portuguese words. Component libraries bring English labels. */
const englishWords =
  /\b(and|with|your|close|open|next|previous|clear|toggle|show|hide|password|visibility|select|search|remove|page|edit|delete|save|increase|decrease|choose|back|more)\b/i

/** Labels of the screen for screen readers, and hints, that are English while the screen is not. */
export async function findEnglishLabels(page: Page): Promise<string[]> {
  const labels = await page.evaluate(() =>
    ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription', 'aria-description'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((one) => `${name}: ${one.getAttribute(name)}`),
    ),
  )
  return [...new Set(labels)].filter((label) => englishWords.test(label.slice(label.indexOf(':') + 1)))
}

/** Focuses every element of the screen; returns those whose focus ring is cut by an element around them. */
export async function findCutFocusRings(page: Page): Promise<string[]> {
  // Browsers show the ring only after a key.
  await page.keyboard.press('Shift')
  return page.evaluate(() => {
    const isClipping = ({ overflowX, overflowY, contain }: CSSStyleDeclaration) =>
      overflowX !== 'visible' || overflowY !== 'visible' || /paint|strict|content/.test(contain)
    const findClipper = (one: Element, grow: number): Element | null => {
      const { left, top, right, bottom } = one.getBoundingClientRect()
      for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
        const style = getComputedStyle(around)
        const clip = around.getBoundingClientRect()
        const cut = Math.max(
          ...[clip.left - left + grow, clip.top - top + grow, right + grow - clip.right, bottom + grow - clip.bottom],
        )
        if (isClipping(style) && cut > 1) return around
        if (style.position === 'fixed') break
      }
      return null
    }
    const cut: string[] = []
    for (const one of document.querySelectorAll<HTMLElement>('a[href], button, input, textarea, [tabindex="0"]')) {
      if (one.closest('.rc-sr') || one.getBoundingClientRect().width < 4) continue
      one.focus()
      const { outlineStyle, outlineWidth, outlineOffset, opacity } = getComputedStyle(one)
      if (document.activeElement !== one || outlineStyle === 'none' || opacity === '0') continue
      const clipper = findClipper(one, Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset))
      if (clipper) cut.push(`${one.ariaLabel ?? one.textContent} in ${clipper.className}`)
    }
    return cut
  })
}
