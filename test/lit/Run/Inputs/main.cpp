#include <cstdio>

int sumOnDevice(int n);

int main(int count, char **arguments) {
  int wrong = sumOnDevice(1000) != 499500;
  printf("%d wrong, %d arguments, the last %s\n", wrong, count - 1,
         arguments[count - 1]);
  return wrong;
}
