// Mixed.java ROUNDS: collections, strings and arithmetic for a Java virtual machine.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class Mixed {
    interface Shape { double area(); }
    record Square(double side) implements Shape { public double area() { return side * side; } }
    record Disc(double radius) implements Shape { public double area() { return radius * radius * 3.25; } }
    record Bar(double w, double h) implements Shape { public double area() { return w * h; } }

    static double shapes(int n) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            Shape s = i % 3 == 0 ? new Square(i % 7) : i % 3 == 1 ? new Disc(i % 5) : new Bar(i % 11, 2);
            sum += s.area();
        }
        return sum;
    }

    static int words(int n) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < n; i++)
            seen.merge("w" + (i * 7919L % 10007), 1, Integer::sum);
        List<String> keys = new ArrayList<>(seen.keySet());
        Collections.sort(keys);
        return keys.size() + keys.get(keys.size() / 2).length() + seen.get(keys.get(0));
    }

    static long sieve(int n) {
        boolean[] composite = new boolean[n + 1];
        long sum = 0;
        for (int i = 2; i <= n; i++)
            if (!composite[i]) {
                sum += i;
                for (long j = (long) i * i; j <= n; j += i)
                    composite[(int) j] = true;
            }
        return sum;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        for (int r = 0; r < rounds; r++)
            System.out.println(r + " " + shapes(300000) + " " + words(100000) + " " + sieve(500000));
    }
}
