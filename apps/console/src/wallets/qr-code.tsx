import qrcode from 'qrcode-generator';
import { useMemo } from 'react';

/** As small as it fits, with errors corrected up to a quarter. */
const [SIZE, CORRECTION] = [0, 'M'] as const;
const QUIET_ZONE = 4;

/** Dark on light in both themes: cameras read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, width } = useMemo(() => modulesOf(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${width} ${width}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={width} height={width} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function modulesOf(text: string) {
  const code = qrcode(SIZE, CORRECTION);
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const path: string[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) path.push(`M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`);
    }
  }
  return { path: path.join(''), width: count + 2 * QUIET_ZONE };
}
